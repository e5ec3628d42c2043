import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'ioredis';
import { eventually } from './eventually.js';
import { freePorts } from './free-ports.js';
import { loginInUrl, RedisServer } from './redis-server.js';
import { writeCertificate } from './tls-redis.js';

const SLOTS = 16_384;
const MASTERS = 3;

/** Milliseconds after which the nodes take one of them for dead. */
const NODE_TIMEOUT = 1_000;

const CLUSTERED = [
  'cluster-enabled yes',
  `cluster-node-timeout ${NODE_TIMEOUT}`,
  'cluster-replica-validity-factor 0',
  'cluster-allow-replica-migration no',
];

/** Nodes tell the ports for TLS to those who come by TLS only when they use it among themselves. */
const TLS = ['tls-cluster yes', 'tls-replication yes'];

type SlotRange = [first: number, last: number, master: [host: string, port: number]];

interface ClusterOptions {
  /** Whether each of the three masters has a replica. */
  replicas?: boolean;
  /** It wants a user and a password. */
  locked?: boolean;
  /** Whether it speaks TLS as well, on ports of its own. */
  tls?: boolean;
  /** Where its folder is made. */
  parent?: string;
}

/** A real cluster of three masters. */
export class TestCluster {
  private constructor(
    private readonly folder: string,
    readonly nodes: RedisServer[],
    private readonly options: ClusterOptions,
    private readonly busPorts: number[],
    private readonly tlsPorts: number[],
  ) {}

  static async start(options: ClusterOptions = {}): Promise<TestCluster> {
    const folder = await mkdtemp(join(options.parent ?? tmpdir(), 'tms-spec-'));
    const certificate = options.tls ? await writeCertificate(folder) : null;
    const names = Array.from({ length: options.replicas ? 2 * MASTERS : MASTERS }, (_, i) => `node-${i}`);
    const [busPorts, tlsPorts] = [await freePorts(names.length), await freePorts(names.length)];
    const nodes = await Promise.all(
      names.map(async (name, i) => {
        const tls = certificate ? [...TLS, `tls-port ${tlsPorts[i]}`, ...certificate.lines] : [];
        const lines = [...CLUSTERED, `cluster-port ${busPorts[i]}`, ...tls];
        return RedisServer.start(folder, name, { lines, locked: options.locked ?? false });
      }),
    );
    const cluster = new TestCluster(folder, nodes, options, busPorts, tlsPorts);
    await cluster.join();
    return cluster;
  }

  /** redis+cluster:// with two of the nodes; the others are for the client to find. */
  get url(): string {
    return this.urlOf('redis+cluster', ({ port }) => port);
  }

  /** rediss+cluster:// */
  get tlsUrl(): string {
    return this.urlOf('rediss+cluster', (node) => this.tlsPorts[this.nodes.indexOf(node)]!);
  }

  /** The certificate of all nodes, for NODE_EXTRA_CA_CERTS. */
  get certificateFile(): string {
    return join(this.folder, 'certificate.pem');
  }

  /** The node that serves the slot of the key, as the others see it. */
  async masterOf(key: string): Promise<RedisServer> {
    const slot = new Command('exists', [key]).getSlot()!;
    for (const [first, last, [, port]] of await this.slots())
      if (first <= slot && slot <= last) return this.nodeAt(port);
    throw new Error(`No node serves ${key}`);
  }

  /** The replicas of a node that are up to date. */
  async replicasOf(master: RedisServer): Promise<RedisServer[]> {
    const info = await master.admin.info('replication');
    const ports = [...info.matchAll(/port=(\d+),state=online/g)].map(([, port]) => Number(port));
    return ports.map((port) => this.nodeAt(port));
  }

  /** Waits until all slots are served, and each master has its replica again. */
  async untilWhole(): Promise<void> {
    await eventually(async () => {
      const replicas = this.options.replicas ? MASTERS : 0;
      for (const { admin } of this.nodes) {
        const known = String(await admin.cluster('NODES'))
          .trim()
          .split('\n');
        must((await admin.cluster('INFO')).includes('cluster_state:ok'), 'all slots are served');
        must(known.length === MASTERS + replicas, 'each node knows all others');
      }
      const masters = new Set((await this.slots()).map(([, , [, port]]) => this.nodeAt(port)));
      must(masters.size === MASTERS, 'all masters have slots');
      if (replicas === 0) return;
      for (const master of masters)
        must((await this.replicasOf(master)).length === 1, 'each master has a replica');
    });
  }

  /** Lets the nodes tell these ports to clients, those of proxies in front of them, in place of their own. */
  async announce(ports: number[]): Promise<void> {
    await Promise.all(
      this.nodes.map(({ admin }, i) => admin.config('SET', 'cluster-announce-port', ports[i]!)),
    );
    await eventually(async () => {
      for (const { admin } of this.nodes)
        for (const [, , [, port]] of (await admin.call('CLUSTER', 'SLOTS')) as SlotRange[])
          must(ports.includes(port), 'each node tells the new ports');
    });
  }

  /** Removes all keys. */
  async clear(): Promise<void> {
    await Promise.all(this.nodes.map(({ admin }) => admin.flushall()));
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.stop()));
    await rm(this.folder, { recursive: true, force: true });
  }

  private nodeAt(port: number): RedisServer {
    return this.nodes.find((node, i) => node.port === port || this.tlsPorts[i] === port)!;
  }

  private async slots(): Promise<SlotRange[]> {
    const answers = this.nodes.map(({ admin }) =>
      admin.status === 'ready' ? admin.call('CLUSTER', 'SLOTS') : Promise.reject(new Error('It is out')),
    );
    return (await Promise.any(answers)) as SlotRange[];
  }

  private async join(): Promise<void> {
    const { nodes } = this;
    await Promise.all(
      nodes.map(async ({ admin }, i) => {
        await admin.call('CLUSTER', 'SET-CONFIG-EPOCH', i + 1);
        const slot = (master: number) => Math.floor((master * SLOTS) / MASTERS);
        if (i < MASTERS) await admin.call('CLUSTER', 'ADDSLOTSRANGE', slot(i), slot(i + 1) - 1);
      }),
    );
    for (const [i, { admin }] of nodes.entries())
      for (const [j, { port }] of nodes.slice(0, i).entries())
        await admin.call('CLUSTER', 'MEET', '127.0.0.1', port, this.busPorts[j]!);
    const ids = await Promise.all(nodes.map(({ admin }) => admin.call('CLUSTER', 'MYID')));
    const replicas = nodes.slice(MASTERS);
    await Promise.all(
      replicas.map(({ admin }, i) => eventually(() => admin.call('CLUSTER', 'REPLICATE', String(ids[i])))),
    );
    await this.untilWhole();
  }

  private urlOf(scheme: string, portOf: (node: RedisServer) => number): string {
    const hosts = this.nodes.slice(0, 2).map((node) => `127.0.0.1:${portOf(node)}`);
    return `${scheme}://${this.options.locked ? loginInUrl() : ''}${hosts.join(',')}`;
  }
}

function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(`Not yet: ${what}`);
}
