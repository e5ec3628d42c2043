import type { Measure } from '../bench.js';
import { loadFigures, lossFaults } from '../outcome.js';
import { median } from '../statistics.js';
import { traffic } from '../traffic.js';

/** Messages a second: a busy service, but not at its limit. */
const PER_SECOND = 300;

/** Receipts in a payload. */
const PAYLOAD = 20;

const CONNECTIONS = 32;

/** The memory of an API process and a worker over a long run of sends and their receipts. */
export const memory =
  (minutes: number): Measure =>
  async (deployment) => {
    await deployment.prepare();
    return deployment.running({ api: 1, worker: 1 }, async (service) => {
      const looks: Record<string, number>[] = [];
      const meter = deployment.environment.meter(service, (megabytes) => looks.push(megabytes));
      meter.start();
      const { sent, received } = await traffic(deployment, {
        url: service['api']?.url ?? '',
        connections: CONNECTIONS,
        seconds: minutes * 60,
        perSecond: PER_SECOND,
        payload: PAYLOAD,
      });
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

/** The memory in the last quarter as a multiple of that in the third quarter: 1 is no growth. */
function lateGrowth(megabytes: number[]): number {
  const quarter = Math.floor(megabytes.length / 4);
  return median(megabytes.slice(3 * quarter)) / median(megabytes.slice(2 * quarter, 3 * quarter));
}
