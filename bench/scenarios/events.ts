import { BEGINNING, encodePosition } from '../../src/events/position.js';
import type { Measure } from '../bench.js';
import type { Deployment } from '../deployment.js';
import { measuredLoad } from '../measured-load.js';
import { eventPage } from '../requests.js';

/** Messages whose events are read: each was accepted and sent. */
const MESSAGES = 20_000;
const EVENTS = 2 * MESSAGES;

/** Readers at the same time; more than that have to wait for each other, as they are of one tenant. */
const READERS = 4;

/** Events a second that several readers get of the newest part of the stream, by full pages. */
export const events: Measure = async (deployment, options) => {
  await deployment.prepare();
  const before = await deployment.lastEvent();
  await deployment.tellOf(await deployment.fillSent(MESSAGES));
  return deployment.running({ api: 1 }, async (service) => {
    const { url = '' } = service['api'] ?? {};
    const first = before === 0 ? BEGINNING : { ...BEGINNING, entry: before };
    const { cursors, count } = await pagesOf(deployment, url, encodePosition(first));
    let page = 0;
    const next = () => eventPage(deployment.accounts, cursors[(page += 1) % cursors.length] ?? '');
    const requests = { urls: [url], next, expected: 200 };
    const { figures, ...outcome } = await measuredLoad(
      deployment.environment,
      service,
      { ...options, connections: READERS },
      requests,
    );
    const faults = [...outcome.faults];
    if (count !== EVENTS) faults.push(`${EVENTS} events were told, ${count} can be read`);
    const perPage = count / cursors.length;
    return { ...outcome, figures: { ...figures, rate: (figures['rate'] ?? 0) * perPage }, faults };
  });
};

/** Reads the stream once. @returns the cursors before its pages, and how many events they have */
async function pagesOf(
  { accounts: { apiKey } }: Deployment,
  url: string,
  after: string,
): Promise<{ cursors: string[]; count: number }> {
  const cursors: string[] = [];
  let count = 0;
  for (let cursor: string | null = after; cursor !== null;) {
    const response = await fetch(`${url}/api/v1/events?limit=1000&after=${cursor}`, {
      headers: { Authorization: `Bearer ${apiKey}` },
    });
    const { data, next_cursor } = (await response.json()) as { data: unknown[]; next_cursor: string };
    if (data.length > 0) cursors.push(cursor);
    count += data.length;
    cursor = data.length > 0 ? next_cursor : null;
  }
  return { cursors, count };
}
