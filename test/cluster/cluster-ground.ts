import { setTimeout as delay } from 'node:timers/promises';
import { DELIVERY_QUEUE } from '../../src/delivery/delivery.queue.js';
import type { Action, Actions } from '../faults/chaos.js';
import type { Ground } from '../faults/ground.js';
import { eventually } from '../support/eventually.js';
import { TestCluster } from '../support/redis-cluster.js';
import type { PatroniNode } from './patroni-node.js';
import { PostgresPair } from './postgres-pair.js';
import type { ServerProcess } from '../support/server-process.js';

/** Milliseconds for which a node is out, and for which a primary is out after another has taken over. */
const PAUSE = 4_000;
const ABSENCE = 2_000;

/** A pair of PostgreSQL under Patroni with etcd and HAProxy, and a Redis Cluster of three masters with a replica each. */
export class ClusterGround implements Ground {
  private constructor(
    private readonly pair: PostgresPair,
    private readonly redis: TestCluster,
  ) {}

  static async start(folder: string, progress: (line: string) => void): Promise<ClusterGround> {
    const [pair, redis] = await Promise.all([
      PostgresPair.start(folder, progress),
      TestCluster.start({ replicas: true, parent: folder }),
    ]);
    return new ClusterGround(pair, redis);
  }

  /** Through HAProxy. */
  get databaseUrl(): string {
    return this.pair.url;
  }

  environmentOf(): Record<string, string> {
    return { DATABASE_URL: this.pair.url, REDIS_URL: this.redis.url };
  }

  async stop(): Promise<void> {
    await this.redis.stop();
    await this.pair.stop();
  }

  readonly actions: Actions = {
    'primary killed': this.takeover(
      (primary) => primary.kill(),
      (primary) => primary.restart(),
    ),
    'primary paused': this.takeover(
      (primary) => primary.pause(),
      (primary) => primary.resume(),
    ),
    'primary silent': this.takeover(
      (primary) => primary.silence(),
      (primary) => primary.speak(),
    ),
    "primary's Patroni killed": this.takeover(
      (primary) => primary.killPatroni(),
      (primary) => primary.restart(),
    ),
    "primary's PostgreSQL killed": this.outage(
      () => this.pair.primary(),
      (primary) => primary.killPostgres(),
      () => undefined,
    ),
    'planned switch of the primary': async (_processes, _random, { happened, tookOver }) => {
      happened();
      // Patroni refuses while it does not know yet that the standby has everything.
      await eventually(async () => (await this.pair.primary()).switchOver());
      tookOver();
      await this.pair.untilWhole();
    },
    'standby killed': this.outage(
      () => this.pair.standby(),
      (standby) => standby.kill(),
      (standby) => standby.restart(),
    ),
    'standby silent': this.outage(
      () => this.pair.standby(),
      (standby) => standby.silence(),
      (standby) => standby.speak(),
    ),
    'HAProxy killed': this.restart(() => this.pair.haproxy.process),
    'one etcd killed': this.restart((random) => random.pick(this.pair.etcd.members)),
    'Redis master killed': async (_processes, _random, { happened, tookOver }) => {
      const master = await this.redis.masterOf(DELIVERY_QUEUE);
      happened();
      await master.kill();
      await eventually(async () => {
        if ((await this.redis.masterOf(DELIVERY_QUEUE)) === master)
          throw new Error('No replica has taken over');
      });
      tookOver();
      await master.restart();
      await this.redis.untilWhole();
    },
    'all of it killed': async (processes, _random, { happened }) => {
      happened();
      for (const process of processes) process.kill();
      const { nodes } = this.redis;
      await Promise.all([this.pair.kill(), ...nodes.map((node) => node.kill())]);
      this.pair.restart();
      await Promise.all(nodes.map((node) => node.restart()));
      await this.redis.untilWhole();
      await this.pair.untilWhole();
    },
  };

  /** What takes the primary out until another node has its place; then it comes back, as a standby. */
  private takeover(
    begin: (primary: PatroniNode) => Promise<void> | void,
    end: (primary: PatroniNode) => Promise<void> | void,
  ): Action {
    return async (_processes, _random, { happened, tookOver }) => {
      const primary = await eventually(() => this.pair.primary());
      await begin(primary);
      happened();
      await this.pair.untilReplaced(primary);
      tookOver();
      await delay(ABSENCE);
      await end(primary);
      await this.pair.untilWhole();
    };
  }

  private outage(
    choose: () => Promise<PatroniNode>,
    begin: (node: PatroniNode) => Promise<void> | void,
    end: (node: PatroniNode) => Promise<void> | void,
  ): Action {
    return async (_processes, _random, { happened }) => {
      const node = await eventually(choose);
      await begin(node);
      happened();
      await delay(PAUSE);
      await end(node);
      await this.pair.untilWhole();
    };
  }

  private restart(choose: (random: Parameters<Action>[1]) => ServerProcess): Action {
    return async (_processes, random, { happened }) => {
      const server = choose(random);
      happened();
      await server.kill();
      server.restart();
      await this.pair.etcd.untilHealthy();
    };
  }
}
