import type { Measure } from '../bench.js';
import type { Deployment } from '../deployment.js';
import { atRate, load, type LoadResult } from '../load.js';
import { loadFigures, lossFaults } from '../outcome.js';
import { receipts, sends } from '../requests.js';
import { median } from '../statistics.js';

/** Messages a second: a busy service, but not at its limit. */
const PER_SECOND = 300;

/** Receipts in a payload. */
const PAYLOAD = 20;

const CONNECTIONS = 32;

/** Milliseconds after which the provider is asked again what it took. */
const HEARING = 100;

/** The memory of an API process and a worker over a long run of sends and their receipts. */
export const memory =
  (minutes: number): Measure =>
  async (deployment) => {
    await deployment.prepare();
    return deployment.running({ api: 1, worker: 1 }, async (service) => {
      const looks: Record<string, number>[] = [];
      const meter = deployment.environment.meter(service, (megabytes) => looks.push(megabytes));
      meter.start();
      const [sent, received] = await traffic(deployment, service['api']?.url ?? '', minutes * 60);
      const usage = await meter.stop();
      await deployment.untilIdle();
      await deployment.untilInboxEmpty();
      const takings = await deployment.environment.provider.takings();
      const losses = lossFaults(sent.answers, { distinct: takings.at.size, repeated: takings.repeated });
      return {
        figures: {
          rate: loadFigures(sent)['rate'] ?? 0,
          apiMb: usage.peakMb['api'] ?? 0,
          workerMb: usage.peakMb['worker'] ?? 0,
          apiGrowth: lateGrowth(looks.map(({ api = 0 }) => api)),
          workerGrowth: lateGrowth(looks.map(({ worker = 0 }) => worker)),
        },
        usage,
        faults: [...sent.faults, ...received.faults, ...losses],
      };
    });
  };

/** Sends messages, and delivers receipts for those that were taken, some at a time. */
async function traffic(
  { accounts, environment }: Deployment,
  url: string,
  seconds: number,
): Promise<[LoadResult, LoadResult]> {
  const taken: number[] = [];
  const hear = async () => {
    for (const [id] of await environment.provider.news()) taken.push(id);
  };
  const timer = setInterval(() => void hear(), HEARING);
  const common = { urls: [url], connections: CONNECTIONS, seconds };
  const results = await Promise.all([
    load({ ...common, gate: atRate(PER_SECOND), next: sends(accounts), expected: 202 }),
    load({
      ...common,
      gate: () => (taken.length < PAYLOAD ? null : performance.now()),
      next: () => receipts(accounts, taken.splice(0, PAYLOAD), 'delivered'),
      expected: 200,
    }),
  ]);
  clearInterval(timer);
  return results;
}

/** The memory in the last quarter as a multiple of that in the third quarter: 1 is no growth. */
function lateGrowth(megabytes: number[]): number {
  const quarter = Math.floor(megabytes.length / 4);
  return median(megabytes.slice(3 * quarter)) / median(megabytes.slice(2 * quarter, 3 * quarter));
}
