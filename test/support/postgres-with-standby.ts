import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type EmbeddedServices, startEmbedded } from '../../src/embedded/embedded-services.js';
import { BreakableProxy } from './breakable-proxy.js';
import { eventually } from './eventually.js';

/** One of two PostgreSQL, with a proxy before it. */
interface Server {
  folder: string;
  services: EmbeddedServices;
  /** Past the proxy. */
  url: string;
  proxy: BreakableProxy;
}

/** A PostgreSQL with a synchronous standby; nobody but the test promotes it. */
export class PostgresWithStandby {
  private constructor(
    private readonly folder: string,
    readonly primary: Server,
    readonly standby: Server,
    /** Between the two. */
    private readonly replication: BreakableProxy,
  ) {}

  static async start(): Promise<PostgresWithStandby> {
    const folder = mkdtempSync(join(tmpdir(), 'tms-spec-'));
    chmodSync(folder, 0o711);
    const [first, second] = ['first', 'second'].map((name) => join(folder, name)) as [string, string];
    for (const each of [first, second]) mkdirSync(each, { mode: 0o711 });
    await (await startPostgres(first)).stop();
    for (const name of ['postgres', 'secrets.json'])
      execFileSync('cp', ['-a', join(first, name), join(second, name)]);
    const primary = await serve(first);
    const replication = await BreakableProxy.before(primary.url);
    const { port, password } = new URL(replication.url);
    const conninfo = `host=127.0.0.1 port=${port} user=postgres password=${password}`;
    const settings = join(second, 'postgres', 'postgresql.auto.conf');
    writeFileSync(settings, `primary_conninfo = '${conninfo}'\n`, { flag: 'a' });
    writeFileSync(join(second, 'postgres', 'standby.signal'), '');
    const pair = new PostgresWithStandby(folder, primary, await serve(second), replication);
    await pair.replicate();
    return pair;
  }

  /** The URL of both, through their proxies. */
  urlOf(...servers: Server[]): string {
    const [first] = servers as [Server];
    const hosts = servers.map(({ proxy }) => new URL(proxy.url).host).join(',');
    return first.proxy.url.replace(/@[^/]*/, `@${hosts}`) + '?target_session_attrs=read-write';
  }

  private async replicate(): Promise<void> {
    await query(this.primary.url, "ALTER SYSTEM SET synchronous_standby_names = '*'");
    await query(this.primary.url, 'SELECT pg_reload_conf()');
    await eventually(async () => {
      const [row] = await query(this.primary.url, 'SELECT sync_state FROM pg_stat_replication');
      if (row?.['sync_state'] !== 'sync') throw new Error('The standby does not replicate yet');
    });
  }

  /** Ends the primary as a power cut would. */
  kill(): void {
    const [pid] = readFileSync(join(this.primary.folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
    process.kill(Number(pid), 'SIGKILL');
  }

  /** Lets the primary run, but nobody hear of it. */
  isolate(): void {
    this.primary.proxy.silence('all');
    this.replication.silence('all');
  }

  /** Lets the standby be heard no more by the primary. */
  cutReplication(): void {
    this.replication.silence('all');
  }

  restoreReplication(): void {
    this.replication.speak();
  }

  async promote(): Promise<void> {
    await query(this.standby.url, 'SELECT pg_promote()');
  }

  async stop(): Promise<void> {
    for (const { proxy, services } of [this.standby, this.primary]) {
      await proxy.break();
      await services.stop();
    }
    await this.replication.break();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const startPostgres = (folder: string) =>
  startEmbedded({ postgres: true, redis: false }, folder, () => undefined);

async function serve(folder: string): Promise<Server> {
  const services = await startPostgres(folder);
  const url = services.databaseUrl as string;
  return { folder, services, url, proxy: await BreakableProxy.before(url) };
}

/** Runs one statement on a connection of its own. @returns its rows */
export async function query(
  url: string,
  sql: string,
  values: unknown[] = [],
): Promise<Record<string, any>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}
