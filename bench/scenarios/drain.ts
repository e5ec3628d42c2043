import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../../test/support/eventually.js';
import type { Measure } from '../bench.js';
import type { Deployment } from '../deployment.js';
import { lossFaults } from '../outcome.js';

/** Messages for each second of the measurement: more than can be sent. */
const PER_SECOND = 6_000;

/** A prepared backlog, which so many workers send until it is empty and all answers are recorded. */
export const drain =
  (workers = 1): Measure =>
  async (deployment, { seconds, warmUp }) => {
    await deployment.prepare();
    const { provider } = deployment.environment;
    await deployment.fillBacklog(workers * PER_SECOND * (seconds + warmUp));
    const count = await deployment.backlog();
    return deployment.running({ worker: workers }, async (service) => {
      await untilWarm(deployment, warmUp);
      const [start, takenBefore] = [performance.now(), provider.taken];
      const meter = deployment.environment.meter(service);
      meter.start();
      await deployment.untilIdle();
      const elapsed = (performance.now() - start) / 1000;
      const usage = await meter.stop();
      const takings = await provider.takings();
      const faults = lossFaults(count, { distinct: takings.at.size, repeated: takings.repeated });
      if (takenBefore === count) faults.push('the backlog was empty before the measurement began');
      return { figures: { rate: (count - takenBefore) / elapsed }, usage, faults };
    });
  };

/** Waits until so many seconds after the first message of the worker. */
async function untilWarm({ environment }: Deployment, seconds: number): Promise<void> {
  await eventually(() => {
    if (environment.provider.taken === 0) throw new Error('Nothing was sent yet');
  });
  await delay(seconds * 1000);
}
