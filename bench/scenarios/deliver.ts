import type { Measure } from '../bench.js';
import type { Deployment, Service } from '../deployment.js';
import { atMost, load, type LoadResult } from '../load.js';
import { loadFigures, lossFaults } from '../outcome.js';
import { sends } from '../requests.js';

/** How many times the usual length it takes, as a rate for a moment does not count. */
const SUSTAINED = 3;

/**
 * The most messages between POST and the provider. This closes the loop over the whole way: it goes as fast as its
 * slowest part, and no backlog can grow unseen.
 */
const UNDER_WAY = 1_000;

/** Messages from POST until the provider's answer is recorded, through so many processes of each role. */
export const deliver =
  (processes = 1): Measure =>
  async (deployment, { seconds, warmUp, connections }) => {
    await deployment.prepare();
    return deployment.running({ api: processes, worker: processes }, async (service) => {
      await deployment.untilIdle(); // for the messages of the rounds before, on a grown database
      await deployment.environment.provider.reset();
      const stream = new Stream(deployment, service, connections);
      const before = await stream.run(warmUp);
      const backlogBefore = await deployment.backlog();
      const meter = deployment.environment.meter(service);
      meter.start();
      const result = await stream.run(SUSTAINED * seconds);
      const [usage, backlogAfter] = await Promise.all([meter.stop(), deployment.backlog()]);
      await deployment.untilIdle();
      const takings = await deployment.environment.provider.takings();
      const growth = (backlogAfter - backlogBefore) / result.seconds;
      const { rate = 0, ...latencies } = loadFigures(result);
      return {
        figures: { rate: rate - growth, backlogBefore, backlogAfter, ...latencies },
        usage,
        faults: [
          ...before.faults,
          ...result.faults,
          ...lossFaults(before.answers + result.answers, {
            distinct: takings.at.size,
            repeated: takings.repeated,
          }),
        ],
      };
    });
  };

/** Sends messages as fast as they are delivered. */
class Stream {
  private requested = 0;
  private readonly next: () => string;
  private readonly urls: string[];

  constructor(
    private readonly deployment: Deployment,
    service: Service,
    private readonly connections: number,
  ) {
    this.next = sends(deployment.accounts);
    const apis = Object.entries(service).filter(([name]) => name.startsWith('api'));
    this.urls = apis.map(([, { url }]) => url);
  }

  run(seconds: number): Promise<LoadResult> {
    const { provider } = this.deployment.environment;
    return load({
      urls: this.urls,
      connections: this.connections,
      seconds,
      expected: 202,
      gate: atMost(UNDER_WAY, () => this.requested - provider.taken),
      next: () => {
        this.requested += 1;
        return this.next();
      },
    });
  }
}
