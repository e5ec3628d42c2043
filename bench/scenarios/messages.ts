import type { Measure } from '../bench.js';
import { measuredLoad } from '../measured-load.js';
import { messageReads } from '../requests.js';

/** Messages of which the newest are listed. */
const MESSAGES = 20_000;

/** Readers at the same time; more than that have to wait for each other, as they are of one tenant. */
const READERS = 4;

/** The newest hundred messages, those of one recipient, and one message, in turns. */
export const messages: Measure = async (deployment, options) => {
  await deployment.prepare();
  const ids = await deployment.fillSent(MESSAGES);
  return deployment.running({ api: 1 }, async (service) => {
    const { url = '' } = service['api'] ?? {};
    const requests = { urls: [url], next: messageReads(deployment.accounts, ids), expected: 200 };
    return measuredLoad(deployment.environment, service, { ...options, connections: READERS }, requests);
  });
};
