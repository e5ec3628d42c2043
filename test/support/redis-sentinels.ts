import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.js';
import { freePorts } from './free-ports.js';
import { LOGIN, loginInUrl, RedisServer } from './redis-server.js';
import { writeCertificate } from './tls-redis.js';

const MASTER = 'main';
const DATABASE = 3;
const SENTINELS = 3;

/** Milliseconds after which the sentinels take the master for dead, and after which they try a fail-over again. */
const DOWN_AFTER = 1_000;
const FAILOVER_TIMEOUT = 1_000;

const SERVERS = 3;

/** A password of the sentinels' own. */
export const SENTINEL_PASSWORD = 'sentinels only';

/** A real master with two replicas, which want a user and a password, and three sentinels, which want another password. */
export class TestSentinels {
  private constructor(
    private readonly folder: string,
    readonly servers: RedisServer[],
    readonly sentinels: RedisServer[],
    /** Of the servers, then of the sentinels; none without TLS. */
    private readonly tlsPorts: number[],
  ) {}

  /** @param tls whether all of them speak TLS among themselves, and tell only the ports for it */
  static async start({ tls = false } = {}): Promise<TestSentinels> {
    const folder = await mkdtemp(join(tmpdir(), 'tms-spec-'));
    const certificate = tls ? (await writeCertificate(folder)).lines : [];
    const tlsPorts = tls ? await freePorts(SERVERS + SENTINELS) : [];
    const linesOfTls = (i: number) =>
      tls ? ['tls-replication yes', `tls-port ${tlsPorts[i]}`, ...certificate] : [];
    const startServer = (i: number, lines: string[] = []) =>
      RedisServer.start(folder, `server-${i}`, { locked: true, lines: [...linesOfTls(i), ...lines] });

    const master = await startServer(0);
    const port = tlsPorts[0] ?? master.port;
    const replicas = [1, 2].map((i) => startServer(i, [`replicaof 127.0.0.1 ${port}`]));
    const servers = [master, ...(await Promise.all(replicas))];
    const sentinels = await Promise.all(
      Array.from({ length: SENTINELS }, (_, i) =>
        RedisServer.start(folder, `sentinel-${i}`, {
          sentinel: true,
          lines: [...linesOfTls(SERVERS + i), ...linesOfSentinel(port)],
          password: SENTINEL_PASSWORD,
        }),
      ),
    );
    const group = new TestSentinels(folder, servers, sentinels, tlsPorts);
    await group.untilWhole();
    return group;
  }

  /** redis+sentinel:// or rediss+sentinel:// with two of the sentinels; the third is for the client to find. */
  get url(): string {
    const ports = this.sentinels.map(({ port }, i) => this.tlsPorts[SERVERS + i] ?? port);
    const hosts = ports.slice(0, 2).map((port) => `127.0.0.1:${port}`);
    const scheme = this.tlsPorts.length > 0 ? 'rediss' : 'redis';
    return `${scheme}+sentinel://${loginInUrl()}${hosts.join(',')}/${MASTER}/${DATABASE}`;
  }

  /** The certificate of all of them, for NODE_EXTRA_CA_CERTS. */
  get certificateFile(): string {
    return join(this.folder, 'certificate.pem');
  }

  /** The present master, as the sentinels know it. */
  async master(): Promise<RedisServer> {
    const [, port] = (await this.sentinels[0]!.admin.call(
      'SENTINEL',
      'GET-MASTER-ADDR-BY-NAME',
      MASTER,
    )) as string[];
    return this.servers.find((server, i) => String(this.tlsPorts[i] ?? server.port) === port)!;
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
