import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Client } from 'pg';
import { postgresRunAs } from '../../src/embedded/postgres-user.js';
import { eventually } from '../support/eventually.js';
import { Etcd } from './etcd.js';
import { HaProxy } from './haproxy.js';
import { type NodeOptions, PatroniNode } from './patroni-node.js';
import { clusterPrograms } from './programs.js';
import type { ServerProcess } from '../support/server-process.js';

const DATABASE = 'messaging';

/** Milliseconds in which a failover, or the return of a node, has to happen. This is no measure of speed. */
const PATIENCE = 120_000;

/**
 * Short times, in seconds, so that a failover takes some seconds rather than half a minute. With synchronous_mode a node
 * becomes the primary only when it has all that was acknowledged. Not strict: with two nodes, that would stop all
 * writing while one of them is out.
 */
const PATRONI_SETTINGS = {
  ttl: 7,
  loop_wait: 1,
  retry_timeout: 3,
  synchronous_mode: true,
  // Another node takes over at once when PostgreSQL crashes.
  primary_start_timeout: 0,
  postgresql: {
    use_pg_rewind: true,
    parameters: {
      max_connections: 300,
      shared_buffers: '64MB',
      synchronous_commit: 'on',
      wal_sender_timeout: '3s',
      wal_receiver_timeout: '3s',
      jit: 'off',
      timezone: 'UTC',
      log_timezone: 'UTC',
    },
  },
};

/** Two PostgreSQL under Patroni with synchronous replication and HAProxy before them. */
export class PostgresPair {
  private constructor(
    readonly etcd: Etcd,
    readonly nodes: PatroniNode[],
    readonly haproxy: HaProxy,
    /** Through HAProxy. */
    readonly url: string,
    /** Of both servers, past HAProxy. */
    readonly urlOfHosts: string,
  ) {}

  /** @param folder empty; PostgreSQL's user, who is not root, has to be able to pass through it */
  static async start(folder: string, progress: (line: string) => void): Promise<PostgresPair> {
    const programs = await clusterPrograms(['postgres', 'patroni', 'etcd', 'haproxy'], progress);
    const runAs = await postgresRunAs(join(programs.postgres, 'postgres'), folder, folder, progress);
    const etcd = await Etcd.start(programs.etcd, folder);
    const password = randomBytes(12).toString('hex');
    const common: Omit<NodeOptions, 'name'> = {
      folder,
      programs,
      runAs,
      passwords: { superuser: password, replication: randomBytes(12).toString('hex') },
      etcd: etcd.urls,
      shared: PATRONI_SETTINGS,
    };
    const names = ['postgres-a', 'postgres-b'];
    const nodes = await Promise.all(names.map((name) => PatroniNode.start({ ...common, name })));
    const backends = nodes.map(({ name, addresses }) => ({ name, ...addresses }));
    const haproxy = await HaProxy.start(programs.haproxy, folder, backends);
    const urlOf = (hosts: string) => `postgres://postgres:${password}@${hosts}/${DATABASE}`;
    const url = urlOf(`127.0.0.1:${haproxy.port}`);
    const hosts = nodes.map(({ addresses }) => addresses.postgres).join(',');
    await untilWhole(nodes);
    await createDatabase(url);
    return new PostgresPair(etcd, nodes, haproxy, url, `${urlOf(hosts)}?target_session_attrs=read-write`);
  }

  /** The node whose Patroni says that it is the primary. */
  primary(): Promise<PatroniNode> {
    return primaryOf(this.nodes);
  }

  async standby(): Promise<PatroniNode> {
    const primary = await this.primary();
    return this.nodes.find((node) => node !== primary) as PatroniNode;
  }

  /** Waits until another node than this is the primary. */
  async untilReplaced(former: PatroniNode): Promise<void> {
    const check = async () => {
      const isReplaced = (await primariesOf(this.nodes)).some((node) => node !== former);
      if (!isReplaced) throw new Error(`${former.name} has not been replaced as the primary`);
    };
    await eventually(check, { patience: PATIENCE, interval: 100 });
  }

  /** Waits until there is a primary and the other node follows it synchronously. */
  async untilWhole(): Promise<void> {
    await untilWhole(this.nodes);
  }

  /** Everything of it ends in the middle of what it does. */
  async kill(): Promise<void> {
    await Promise.all([...this.nodes, ...this.servers].map((one) => one.kill()));
  }

  restart(): void {
    for (const one of [...this.servers, ...this.nodes]) one.restart();
  }

  async stop(): Promise<void> {
    await this.haproxy.process.kill();
    await Promise.all(this.nodes.map((node) => node.stop()));
    await this.etcd.stop();
  }

  private get servers(): ServerProcess[] {
    return [...this.etcd.members, this.haproxy.process];
  }
}

async function primariesOf(nodes: PatroniNode[]): Promise<PatroniNode[]> {
  const answers = await Promise.all(nodes.map((node) => node.isPrimary()));
  return nodes.filter((_node, index) => answers[index]);
}

async function primaryOf(nodes: PatroniNode[]): Promise<PatroniNode> {
  const [primary, other] = await primariesOf(nodes);
  if (!primary || other) throw new Error(`There ${other ? 'are two primaries' : 'is no primary'}`);
  return primary;
}

async function untilWhole(nodes: PatroniNode[]): Promise<void> {
  const check = async () => {
    const primary = await primaryOf(nodes);
    const standby = nodes.find((node) => node !== primary);
    // Patroni notes it some seconds after PostgreSQL; until then the standby cannot take over.
    if ((await primary.synchronousStandbys()) !== 1 || !(await standby?.isSynchronous()))
      throw new Error('The standby does not follow synchronously');
  };
  await eventually(check, { patience: PATIENCE, interval: 100 });
}

async function createDatabase(url: string): Promise<void> {
  const { href } = new URL('/postgres', url);
  await eventually(async () => {
    const client = new Client({ connectionString: href });
    client.on('error', () => undefined); // the query fails with it too
    try {
      await client.connect();
      await client.query(`CREATE DATABASE ${DATABASE}`);
    } finally {
      await client.end();
    }
  });
}
