import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.js';
import { LOGIN, loginInUrl, RedisServer } from './redis-server.js';

const MASTER = 'main';
const DATABASE = 3;
const SENTINELS = 3;

/** Milliseconds after which the sentinels take the master for dead, and after which they try a fail-over again. */
const DOWN_AFTER = 1_000;
const FAILOVER_TIMEOUT = 1_000;

/** A password of the sentinels' own. */
export const SENTINEL_PASSWORD = 'sentinels only';

/** A real master with two replicas, which want a user and a password, and three sentinels, which want another password. */
export class TestSentinels {
  private constructor(
    private readonly folder: string,
    readonly servers: RedisServer[],
    readonly sentinels: RedisServer[],
  ) {}

  static async start(): Promise<TestSentinels> {
    const folder = await mkdtemp(join(tmpdir(), 'tms-spec-'));
    const master = await RedisServer.start(folder, 'server-0', { locked: true });
    const lines = [`replicaof 127.0.0.1 ${master.port}`];
    const replicas = ['server-1', 'server-2'].map((name) =>
      RedisServer.start(folder, name, { locked: true, lines }),
    );
    const names = Array.from({ length: SENTINELS }, (_, i) => `sentinel-${i}`);
    const servers = [master, ...(await Promise.all(replicas))];
    const sentinels = await Promise.all(
      names.map((name) =>
        RedisServer.start(folder, name, {
          sentinel: true,
          lines: linesOfSentinel(master.port),
          password: SENTINEL_PASSWORD,
        }),
      ),
    );
    const group = new TestSentinels(folder, servers, sentinels);
    await group.untilWhole();
    return group;
  }

  /** redis+sentinel:// with two of the sentinels; the third is for the client to find. */
  get url(): string {
    const hosts = this.sentinels.slice(0, 2).map(({ address }) => address);
    return `redis+sentinel://${loginInUrl()}${hosts.join(',')}/${MASTER}/${DATABASE}`;
  }

  /** The present master, as the sentinels know it. */
  async master(): Promise<RedisServer> {
    const [, port] = (await this.sentinels[0]!.admin.call(
      'SENTINEL',
      'GET-MASTER-ADDR-BY-NAME',
      MASTER,
    )) as string[];
    return this.servers.find((server) => String(server.port) === port)!;
  }

  /** Waits until another server than this one is the master. */
  async untilReplaced(former: RedisServer): Promise<void> {
    await eventually(async () => {
      if ((await this.master()).port === former.port) throw new Error('The sentinels have no new master yet');
    });
  }

  async stop(): Promise<void> {
    await Promise.all([...this.sentinels, ...this.servers].map((server) => server.stop()));
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Waits until the sentinels know one another and the replicas. */
  private async untilWhole(): Promise<void> {
    for (const { admin } of this.sentinels)
      await eventually(async () => {
        const [line = ''] = /^master0:.*$/m.exec(await admin.info('sentinel')) ?? [];
        const whole = `slaves=${this.servers.length - 1},sentinels=${SENTINELS}`;
        if (!line.includes('status=ok') || !line.includes(whole)) throw new Error(`Not yet whole: ${line}`);
      });
  }
}

const linesOfSentinel = (port: number) => [
  `requirepass "${SENTINEL_PASSWORD}"`,
  `sentinel sentinel-pass "${SENTINEL_PASSWORD}"`,
  `sentinel monitor ${MASTER} 127.0.0.1 ${port} 2`,
  `sentinel auth-user ${MASTER} "${LOGIN.username}"`,
  `sentinel auth-pass ${MASTER} "${LOGIN.password}"`,
  `sentinel down-after-milliseconds ${MASTER} ${DOWN_AFTER}`,
  `sentinel failover-timeout ${MASTER} ${FAILOVER_TIMEOUT}`,
];
