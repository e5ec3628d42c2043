import type { Measure } from '../bench.js';
import { atRate, load } from '../load.js';
import { loadFigures, lossFaults } from '../outcome.js';
import { messageLogIdOf, sends } from '../requests.js';
import { percentile } from '../statistics.js';

const PER_SECOND = 50;

/** Connections: enough for that rate, and each is used often enough to stay open. */
const CONNECTIONS = 16;

/** Latencies at 50 messages a second: from POST to its answer, and from POST to the provider. */
export const latency: Measure = async (deployment, { seconds, warmUp }) => {
  await deployment.prepare();
  const { provider } = deployment.environment;
  return deployment.running({ api: 1, worker: 1 }, async (service) => {
    await deployment.untilIdle();
    await provider.reset();
    const common = {
      urls: [service['api']?.url ?? ''],
      connections: CONNECTIONS,
      next: sends(deployment.accounts),
      expected: 202,
    };
    const before = await load({ ...common, seconds: warmUp, gate: atRate(PER_SECOND) });
    const posted = new Map<number, number>();
    const meter = deployment.environment.meter(service);
    meter.start();
    const result = await load({
      ...common,
      seconds,
      gate: atRate(PER_SECOND),
      onAnswer: (body, since) => posted.set(messageLogIdOf(body), performance.timeOrigin + since),
    });
    const usage = await meter.stop();
    await deployment.untilIdle();
    const takings = await provider.takings();
    const ways = [...posted].map(([id, at]) => (takings.at.get(id) ?? Number.POSITIVE_INFINITY) - at);
    const faults = lossFaults(before.answers + result.answers, {
      distinct: takings.at.size,
      repeated: takings.repeated,
    });
    return {
      figures: {
        ...loadFigures(result),
        toProviderP50: percentile(ways, 50),
        toProviderP99: percentile(ways, 99),
      },
      usage,
      faults: [...before.faults, ...result.faults, ...faults],
    };
  });
};
