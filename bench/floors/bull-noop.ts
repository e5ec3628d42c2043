/** The queue's floor: how fast Bull takes jobs, and hands them to a processor that does nothing. */
import Bull from 'bull';
import { tellParent } from '../child.js';

const BULK = 100;
const CONCURRENCY = 50;

/** The most jobs, so that Redis does not fill up. */
const MAX_JOBS = 100_000;

export interface BullRequest {
  seconds: number;
}

export interface BullFigures {
  addBulkPerSecond: number;
  processPerSecond: number;
}

const queue = new Bull('{bench-noop}', process.env['REDIS_URL'] as string, {
  defaultJobOptions: { removeOnComplete: true },
});
await queue.isReady();
process.on('message', ({ seconds }: BullRequest) => void measure(seconds).then(tellParent));
tellParent({});

/** Adds jobs for half of the time, then processes all of them. */
async function measure(seconds: number): Promise<BullFigures> {
  const jobs = Array.from({ length: BULK }, () => ({ data: { version: 1, permits: 50 } }));
  const start = performance.now();
  let added = 0;
  for (; performance.now() - start < seconds * 500 && added < MAX_JOBS; added += BULK)
    await queue.addBulk(jobs);
  const adding = performance.now() - start;
  return {
    addBulkPerSecond: (added * 1000) / adding,
    processPerSecond: (added * 1000) / (await processAll(added)),
  };
}

/** @returns milliseconds */
async function processAll(count: number): Promise<number> {
  let left = count;
  const start = performance.now();
  await new Promise<void>((resolve) => {
    void queue.process(CONCURRENCY, () => {
      left -= 1;
      if (left === 0) resolve();
      return Promise.resolve();
    });
  });
  return performance.now() - start;
}
