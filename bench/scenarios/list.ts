import type { Measure } from '../bench.js';
import { load } from '../load.js';
import { loadFigures } from '../outcome.js';
import { list as request } from '../requests.js';

/** The list of 250 templates from one API process; `known`: asked for with the ETag that it still has. */
export const list =
  ({ known = false } = {}): Measure =>
  async (deployment, { seconds, warmUp, connections }) => {
    await deployment.prepare();
    return deployment.running({ api: 1 }, async (service) => {
      const { url = '' } = service['api'] ?? {};
      const etag = known ? await currentEtag(url, deployment.accounts) : undefined;
      const text = request(deployment.accounts, etag);
      const common = { urls: [url], connections, next: () => text, expected: known ? 304 : 200 };
      const before = await load({ ...common, seconds: warmUp });
      const meter = deployment.environment.meter(service);
      meter.start();
      const result = await load({ ...common, seconds });
      return {
        figures: loadFigures(result),
        usage: await meter.stop(),
        faults: [...before.faults, ...result.faults],
      };
    });
  };

async function currentEtag(
  url: string,
  { apiKey, messagingAccountIds }: { apiKey: string; messagingAccountIds: string[] },
): Promise<string> {
  const address = `${url}/api/v1/templates?messaging_account_id=${messagingAccountIds[0]}`;
  const response = await fetch(address, { headers: { Authorization: `Bearer ${apiKey}` } });
  await response.arrayBuffer();
  return response.headers.get('etag') ?? '';
}
