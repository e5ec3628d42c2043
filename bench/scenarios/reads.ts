import type { Measure } from '../bench.js';
import { atRate, load } from '../load.js';
import { lossFaults } from '../outcome.js';
import { messageLists, sends } from '../requests.js';
import { percentile } from '../statistics.js';

/** Messages a second of the tenant that sends, and enough connections for them. */
const PER_SECOND = 50;
const CONNECTIONS = 16;

/** Lists that another tenant reads at the same time: each connection asks again when it gets its answer. */
const LISTS = 150;

/** Statuses of lists; 429 is for more at the same time than one tenant may read. */
const LIST_ANSWERS = [200, 429];

/** Latencies from POST to its answer: alone, and while another tenant makes searches that find few messages or none. */
export const reads: Measure = async (deployment, { seconds, warmUp }) => {
  const sender = await deployment.neighbour();
  await deployment.prepare();
  const { environment } = deployment;
  return deployment.running({ api: 1, worker: 1 }, async (service) => {
    await deployment.untilIdle();
    await environment.provider.reset();
    const urls = [service['api']?.url ?? ''];
    const send = (time: number) =>
      load({
        urls,
        connections: CONNECTIONS,
        next: sends(sender),
        expected: 202,
        seconds: time,
        gate: atRate(PER_SECOND),
      });
    const before = await send(warmUp);
    const alone = await send(seconds);
    const statuses: number[] = [];
    const meter = environment.meter(service);
    meter.start();
    const [beside, lists] = await Promise.all([
      send(seconds),
      load({
        urls,
        connections: LISTS,
        next: messageLists(deployment.accounts),
        expected: LIST_ANSWERS,
        seconds,
        onAnswer: (_body, _since, status) => statuses.push(status),
      }),
    ]);
    const usage = await meter.stop();
    await deployment.untilIdle();
    const { at, repeated } = await environment.provider.takings();
    const accepted = before.answers + alone.answers + beside.answers;
    const faults = lossFaults(accepted, { distinct: at.size, repeated });
    return {
      figures: {
        aloneP50: percentile(alone.latencies, 50),
        aloneP99: percentile(alone.latencies, 99),
        besideP50: percentile(beside.latencies, 50),
        besideP99: percentile(beside.latencies, 99),
        lists: statuses.filter((status) => status === 200).length / lists.seconds,
        listP50: percentile(lists.latencies, 50),
        listP99: percentile(lists.latencies, 99),
        refused: statuses.filter((status) => status === 429).length / lists.seconds,
      },
      usage,
      faults: [...before.faults, ...alone.faults, ...beside.faults, ...lists.faults, ...faults],
    };
  });
};
