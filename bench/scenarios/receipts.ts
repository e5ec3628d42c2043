import type { Measure } from '../bench.js';
import type { Deployment } from '../deployment.js';
import { atMost, atRate, load, type LoadResult } from '../load.js';
import { loadFigures } from '../outcome.js';
import { receipts as delivery } from '../requests.js';

/**
 * Amounts by receipts in a payload. Messages for each second of the measurement: each gets two receipts, more than can
 * be applied. Deliveries that may wait in the inbox. Steady deliveries a second while the answers are timed: 3 and 10
 * receipts for each of the 1,000 messages a second that the service has to deliver.
 */
const AMOUNTS = {
  1: { messages: 8_000, unapplied: 2_000, steady: 3_000 },
  100: { messages: 20_000, unapplied: 400, steady: 100 },
};

/** Milliseconds after which the inbox is counted again. */
const LOOK = 20;

/**
 * Signed receipts for sent messages, in payloads of this size. At first as many as can be applied: the rate counts
 * receipts from the first request until the inbox is empty. Then, for half as long, at a steady rate: the latencies are
 * those of these answers.
 */
export const receipts =
  (payload: keyof typeof AMOUNTS): Measure =>
  async (deployment, { seconds, warmUp, connections }) => {
    await deployment.prepare();
    const amount = Math.ceil((AMOUNTS[payload].messages * (seconds + warmUp)) / payload) * payload;
    const ids = await deployment.fillSent(amount);
    return deployment.running({ api: 1, worker: 1 }, async (service) => {
      const stream = new Stream(deployment, ids, payload);
      const options = { urls: [service['api']?.url ?? ''], connections };
      const before = await stream.run({ ...options, seconds: warmUp });
      const meter = deployment.environment.meter(service);
      const start = performance.now();
      meter.start();
      const result = await stream.run({ ...options, seconds });
      const elapsed = (performance.now() - start) / 1000;
      const usage = await meter.stop();
      const steady = await stream.run({ ...options, seconds: seconds / 2, isSteady: true });
      const answered = (before.answers + result.answers + steady.answers) * payload;
      const applied = await countApplied(deployment, ids);
      const faults = [...before.faults, ...result.faults, ...steady.faults];
      if (result.answers === 0) faults.push('no receipts were left to measure');
      if (applied !== answered) faults.push(`${answered} receipts answered with 200, ${applied} applied`);
      return {
        figures: { ...loadFigures(steady), rate: (result.answers * payload) / elapsed },
        usage,
        faults,
      };
    });
  };

interface StreamOptions {
  urls: string[];
  connections: number;
  seconds: number;
  isSteady?: boolean;
}

/** Delivers receipts as fast as they are applied, or steadily. */
class Stream {
  private from = 0;
  /** Deliveries in the inbox at the last count, and those that were sent since. */
  private waiting = 0;
  private sent = 0;
  private isLooking = false;

  constructor(
    private readonly deployment: Deployment,
    private readonly ids: number[],
    private readonly payload: keyof typeof AMOUNTS,
  ) {}

  /** Resolves when all sent receipts are applied. */
  async run({ isSteady = false, ...options }: StreamOptions): Promise<LoadResult> {
    const timer = setInterval(() => void this.look(), LOOK);
    const { unapplied, steady } = AMOUNTS[this.payload];
    const gate = isSteady ? atRate(steady) : atMost(unapplied, () => this.waiting + this.sent);
    const result = await load({ ...options, expected: 200, gate, next: () => this.next() });
    clearInterval(timer);
    await this.deployment.untilInboxEmpty();
    return result;
  }

  /** The next delivery: first every message becomes delivered, then every one read; then null. */
  private next(): string | null {
    const { from, ids, payload } = this;
    if (from >= 2 * ids.length) return null;
    this.from += payload;
    this.sent += 1;
    const start = from % ids.length;
    const status = from < ids.length ? 'delivered' : 'read';
    return delivery(this.deployment.accounts, ids.slice(start, start + payload), status);
  }

  private async look(): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    const sentBefore = this.sent;
    this.waiting = await this.deployment.inboxLeft();
    this.sent -= sentBefore;
    this.isLooking = false;
  }
}

async function countApplied({ database }: Deployment, ids: number[]): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    `SELECT (count(delivered_at) + count(read_at))::integer AS count
     FROM message_logs WHERE id BETWEEN $1 AND $2`,
    [ids[0], ids.at(-1)],
  );
  return rows[0]?.count ?? 0;
}
