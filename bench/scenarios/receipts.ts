import type { Measure } from '../bench.js';
import type { Deployment } from '../deployment.js';
import { atMost, load, type LoadResult } from '../load.js';
import { loadFigures } from '../outcome.js';
import { receipts as delivery } from '../requests.js';

/**
 * By payload: messages for each second of the measurement, each of which gets two receipts, more than can be applied in
 * it; and deliveries that may be in the inbox unapplied. As in deliver.ts, the loop is closed over the whole way.
 */
const AMOUNTS = {
  1: { messages: 3_000, unapplied: 500 },
  100: { messages: 10_000, unapplied: 100 },
};

/** Milliseconds between two looks at the inbox. */
const LOOK = 20;

/**
 * Receipts for messages that were sent, in payloads of this size, signed. The rate is of receipts, from the first
 * request until the inbox is empty; the latencies are of the answers.
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
      const answered = (before.answers + result.answers) * payload;
      const applied = await countApplied(deployment, ids);
      const faults = [...before.faults, ...result.faults];
      if (result.answers === 0) faults.push('no receipts were left to measure');
      if (applied !== answered) faults.push(`${answered} receipts answered with 200, ${applied} applied`);
      return {
        figures: { ...loadFigures(result), rate: (result.answers * payload) / elapsed },
        usage,
        faults,
      };
    });
  };

/** Delivers receipts as fast as they are applied. */
class Stream {
  private from = 0;
  /** Deliveries in the inbox when it was last looked at, and those that were sent since. */
  private waiting = 0;
  private sent = 0;
  private isLooking = false;

  constructor(
    private readonly deployment: Deployment,
    private readonly ids: number[],
    private readonly payload: keyof typeof AMOUNTS,
  ) {}

  /** Resolves when all that was sent is applied. */
  async run(options: { urls: string[]; connections: number; seconds: number }): Promise<LoadResult> {
    const timer = setInterval(() => void this.look(), LOOK);
    const gate = atMost(AMOUNTS[this.payload].unapplied, () => this.waiting + this.sent);
    const result = await load({ ...options, expected: 200, gate, next: () => this.next() });
    clearInterval(timer);
    await this.deployment.untilInboxEmpty();
    return result;
  }

  /** First every message is delivered, then every one is read; then there is nothing left. */
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
