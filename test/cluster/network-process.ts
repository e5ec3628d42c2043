/** The proxies of a {@link Network}, as a process that does as it is told and ends when nobody is there to tell it. */
import { BreakableProxy } from '../support/breakable-proxy.js';
import type { NetworkRequest } from './network.js';

let proxies: BreakableProxy[] = [];

process.on('message', async (request: NetworkRequest) => {
  if (request === 'silence') for (const proxy of proxies) proxy.silence('all');
  else if (request === 'speak') for (const proxy of proxies) proxy.speak();
  else proxies = await Promise.all(request.open.map((url) => BreakableProxy.before(url)));
  process.send?.(proxies.map(({ url }) => new URL(url).host));
});
process.on('disconnect', () => process.exit());
