import { once } from 'node:events';
import type { Measure } from '../bench.js';
import type { BullFigures, BullRequest } from '../floors/bull-noop.js';
import { measuredLoad } from '../measured-load.js';
import { type BenchProcess, startScript } from '../processes.js';
import { sends } from '../requests.js';

/** A server below floors/ that answers every send with 202. */
export const httpFloor =
  (file: string, env: Record<string, string> = {}): Measure =>
  async ({ environment, accounts }, options) => {
    await environment.calm();
    const floor = environment.keep(await startScript(file, env));
    try {
      const requests = { urls: [floor.url], next: sends(accounts), expected: 202 };
      return await measuredLoad(environment, { floor }, options, requests);
    } finally {
      await floor.stop();
    }
  };

/** Bull alone. */
export const bullFloor: Measure = async ({ environment }, { seconds }) => {
  await environment.calm();
  const env = { REDIS_URL: environment.redisUrl(2) };
  const floor = environment.keep(await startScript('floors/bull-noop.ts', env));
  try {
    const meter = environment.meter({ floor });
    meter.start();
    const { addBulkPerSecond, processPerSecond } = await askBull(floor, seconds);
    const figures = { rate: processPerSecond, addBulk: addBulkPerSecond };
    const { cpu } = await meter.stop();
    // Its memory is not the service's, so there is no figure of it.
    return { figures, usage: { cpu, peakMb: {} }, faults: [] };
  } finally {
    await floor.stop();
  }
};

async function askBull(floor: BenchProcess, seconds: number): Promise<BullFigures> {
  const answer = once(floor.child, 'message') as Promise<[BullFigures]>;
  floor.child.send({ seconds } satisfies BullRequest);
  return (await answer)[0];
}
