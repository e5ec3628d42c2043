import type { Deployment } from './deployment.js';
import { atRate, load, type LoadResult } from './load.js';
import { receipts, sends } from './requests.js';

/** Milliseconds after which the provider is asked again what it took. */
const HEARING = 100;

export interface TrafficOptions {
  url: string;
  connections: number;
  seconds: number;
  /** Messages a second. */
  perSecond: number;
  /** Receipts in a payload. */
  payload: number;
}

/**
 * Sends messages, and delivers receipts for those that were taken, some at a time. The last ones of the run may get none.
 * @returns what came of the sends, and of the requests with receipts, with how many receipts these had: some have fewer
 */
export async function traffic(
  { accounts, environment }: Deployment,
  { url, connections, seconds, perSecond, payload }: TrafficOptions,
): Promise<{ sent: LoadResult; received: LoadResult; receipts: number }> {
  const taken: number[] = [];
  let told = 0;
  const hear = async () => {
    for (const [id] of await environment.provider.news()) taken.push(id);
  };
  const timer = setInterval(() => void hear(), HEARING);
  const common = { urls: [url], connections, seconds };
  const [sent, received] = await Promise.all([
    load({ ...common, gate: atRate(perSecond), next: sends(accounts), expected: 202 }),
    load({
      ...common,
      gate: () => (taken.length < payload ? null : performance.now()),
      next: () => {
        const ids = taken.splice(0, payload);
        told += ids.length;
        return receipts(accounts, ids, 'delivered');
      },
      expected: 200,
    }),
  ]);
  clearInterval(timer);
  return { sent, received, receipts: told };
}
