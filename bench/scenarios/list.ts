import type { Measure } from '../bench.js';
import { measuredLoad } from '../measured-load.js';
import { list as request } from '../requests.js';

/** The list of 250 templates from one API process; when `known`, requests carry its present ETag. */
export const list =
  ({ known = false } = {}): Measure =>
  async (deployment, options) => {
    await deployment.prepare();
    return deployment.running({ api: 1 }, async (service) => {
      const { url = '' } = service['api'] ?? {};
      const etag = known ? await currentEtag(url, deployment.accounts) : undefined;
      const text = request(deployment.accounts, etag);
      const requests = { urls: [url], next: () => text, expected: known ? 304 : 200 };
      return measuredLoad(deployment.environment, service, options, requests);
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
