import { setTimeout as delay } from 'node:timers/promises';
import type { Measure } from '../bench.js';
import { Deployment } from '../deployment.js';
import { ADD_NUMBERS } from '../growth.js';
import type { Usage } from '../meter.js';

const NUMBERS = 10_000;

/** None of them is due to be read from the provider, which is the same work for any number of workers. */
const REST = `UPDATE messaging_accounts SET read_due_at = now() + interval '1 day'`;

/** What PostgreSQL has to do for workers that have nothing to do, beside very many numbers: cores with one, and with eight. */
export const idle: Measure = async ({ environment }, { seconds, warmUp }) => {
  const deployment = await Deployment.create(environment, 'idle');
  await deployment.database.query(ADD_NUMBERS, [NUMBERS]);
  await deployment.database.query(REST);
  await deployment.database.query('VACUUM (ANALYZE)');
  const usageOf = (worker: number) =>
    deployment.running({ worker }, async (service): Promise<Usage> => {
      await delay(warmUp * 1000);
      const meter = environment.meter(service);
      meter.start();
      await delay(seconds * 1000);
      return meter.stop();
    });
  const [one, eight] = [await usageOf(1), await usageOf(8)];
  const figures = { one: one.cpu['postgres'] ?? 0, eight: eight.cpu['postgres'] ?? 0 };
  return { figures, usage: eight, faults: [] };
};
