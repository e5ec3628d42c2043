import type { IncomingMessage } from 'node:http';
import proxyAddress from 'proxy-addr';
import { countedAddress } from './counted-address.js';

/**
 * The address that a request is counted by: where it comes from, as the last proxy that is believed has seen it. What
 * callers say of themselves in X-Forwarded-For does not count.
 * @param trustedProxies how many proxies in front of the service are believed
 */
export function callerAddress(request: IncomingMessage, trustedProxies: number): string {
  return countedAddress(proxyAddress(request, (_proxy, hop) => hop < trustedProxies) ?? '');
}
