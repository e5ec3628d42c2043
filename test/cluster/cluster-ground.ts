import { setTimeout as delay } from 'node:timers/promises';
import { DELIVERY_QUEUE } from '../../src/delivery/delivery.queue.js';
import type { Action, Actions } from '../faults/chaos.js';
import type { Ground } from '../faults/ground.js';
import { eventually } from '../support/eventually.js';
import { PgBouncer, preparedStatements } from '../support/pgbouncer.js';
import { TestCluster } from '../support/redis-cluster.js';
import type { PatroniNode } from './patroni-node.js';
import { PostgresPair } from './postgres-pair.js';
import { clusterPrograms } from './programs.js';
import type { ServerProcess } from '../support/server-process.js';

/** Milliseconds for which a node is out, and for which a primary is out after another has taken over. */
const PAUSE = 4_000;
const ABSENCE = 2_000;

/** How PgBouncer is to be set up for a server that may go away; see docs/operations.md. */
const POOLER_SETTINGS = { server_login_retry: 1, server_connect_timeout: 2 };

/** A way to PostgreSQL: all servers in the URL, HAProxy, or PgBouncer before HAProxy. */
type Way = 'hosts' | 'proxy' | 'pooler';

/** Each way has an API or a worker at least. */
const WAYS: Record<string, Way> = {
  'api-1': 'hosts',
  'api-2': 'pooler',
  'worker-1': 'proxy',
  'worker-2': 'pooler',
};

/**
 * A pair of PostgreSQL under Patroni with etcd and HAProxy, PgBouncer, and a Redis Cluster of three masters with a replica
 * each.
 */
export class ClusterGround implements Ground {
  private constructor(
    private readonly pair: PostgresPair,
    private readonly pooler: PgBouncer,
    private readonly redis: TestCluster,
  ) {}

  static async start(folder: string, progress: (line: string) => void): Promise<ClusterGround> {
    await clusterPrograms(['postgres', 'patroni', 'etcd', 'haproxy', 'pgbouncer'], progress);
    const [pair, redis] = await Promise.all([
      PostgresPair.start(folder, progress),
      TestCluster.start({ replicas: true, parent: folder }),
    ]);
    return new ClusterGround(pair, await PgBouncer.before(pair.url, POOLER_SETTINGS), redis);
  }

  /** Through HAProxy. */
  get databaseUrl(): string {
    return this.pair.url;
  }

  environmentOf(process: string): Record<string, string> {
    return { ...this.databaseVariables(WAYS[process] ?? 'hosts'), REDIS_URL: this.redis.url };
  }

  private databaseVariables(way: Way): Record<string, string> {
    const { url, urlOfHosts } = this.pair;
    if (way === 'hosts') return { DATABASE_URL: urlOfHosts };
    if (way === 'proxy') return { DATABASE_URL: url };
    return {
      DATABASE_URL: this.pooler.urlOf(url),
      DATABASE_DIRECT_URL: url,
      DATABASE_PREPARED_STATEMENTS: preparedStatements(),
    };
  }

  async stop(): Promise<void> {
    await this.redis.stop();
    await this.pooler.stop();
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
      async (primary) => {
        // As docs/operations.md wants it: a Patroni that starts beside it would let go of the commits that wait.
        await primary.killPostgres();
        primary.restart();
      },
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
    'PgBouncer killed': this.restart(() => this.pooler.process),
    'PgBouncer paused': async (_processes, _random, { happened, tookOver }) => {
      this.pooler.process.pause();
      happened();
      await delay(PAUSE);
      this.pooler.process.resume();
      tookOver();
    },
    'one etcd killed': async (_processes, random, { happened }) => {
      const member = random.pick(this.pair.etcd.members);
      await member.kill();
      happened();
      await delay(PAUSE);
      member.restart();
      await this.pair.etcd.untilHealthy();
    },
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
      const { process: pooler } = this.pooler;
      await Promise.all([this.pair, pooler, ...nodes].map((one) => one.kill()));
      this.pair.restart();
      pooler.restart();
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

  private restart(choose: () => ServerProcess): Action {
    return async (_processes, _random, { happened, tookOver }) => {
      await choose().kill();
      happened();
      choose().restart();
      tookOver();
    };
  }
}
