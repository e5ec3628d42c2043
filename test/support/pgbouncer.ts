import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { RunAs } from '../../src/embedded/supervised.js';
import { eventually } from './eventually.js';
import { freePorts } from './free-ports.js';
import { ServerProcess } from './server-process.js';

const PROGRAMS = ['pgbouncer', '/usr/sbin/pgbouncer'];

/** It refuses to be root. */
const USER = 'postgres';

/** The first version that looks after prepared statements. */
const KEEPS_NAMES = '1.21';

/** Whether services may use prepared statements through the PgBouncer that is installed. */
export function preparedStatements(): 'on' | 'off' {
  const version =
    /[0-9.]+/.exec(spawnSync(program(), ['--version'], { encoding: 'utf8' }).stdout)?.[0] ?? '0';
  return version.localeCompare(KEEPS_NAMES, 'en', { numeric: true }) >= 0 ? 'on' : 'off';
}

/** The setting for how many of each connection it looks after; none for one that cannot. */
export const preparedLimit = (count: number): Record<string, number> =>
  preparedStatements() === 'on' ? { max_prepared_statements: count } : {};

/** A connection pooler of Debian's package, in transaction mode, in front of all databases of a PostgreSQL. */
export class PgBouncer {
  private constructor(
    private readonly port: number,
    private readonly folder: string,
    readonly process: ServerProcess,
  ) {}

  /** @param settings of its configuration file, beside those that make it fit for tests */
  static async before(url: string, settings: Record<string, string | number> = {}): Promise<PgBouncer> {
    const [target, [port = 0]] = [new URL(url), await freePorts(1)];
    const folder = mkdtempSync(join(tmpdir(), 'tms-pgbouncer-'));
    chmodSync(folder, 0o755);
    const users = join(folder, 'users');
    const password = decodeURIComponent(target.password).replaceAll('"', '""');
    writeFileSync(users, `"${decodeURIComponent(target.username)}" "${password}"\n`);
    const all = {
      listen_addr: '127.0.0.1',
      listen_port: port,
      unix_socket_dir: '',
      auth_type: 'trust',
      auth_file: users,
      pool_mode: 'transaction',
      max_client_conn: 2_000,
      server_login_retry: 1,
      log_connections: 0,
      log_disconnections: 0,
      log_stats: 0,
      ...preparedLimit(200),
      ...settings,
    };
    const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
    const file = join(folder, 'pgbouncer.ini');
    const databases = `* = host=${target.hostname} port=${target.port}`;
    writeFileSync(file, ['[databases]', databases, '[pgbouncer]', ...lines, ''].join('\n'));
    const command = [program(), '-q', file];
    const server = ServerProcess.start({
      command,
      logFile: join(folder, 'pgbouncer.log'),
      ...unprivileged(),
    });
    const bouncer = new PgBouncer(port, folder, server);
    await bouncer.untilItLeadsTo(url);
    return bouncer;
  }

  /** The URL by which clients reach the same database through it. */
  urlOf(direct: string): string {
    const url = new URL(direct);
    url.host = `127.0.0.1:${this.port}`;
    return url.href;
  }

  /** Waits until it takes connections to that database. */
  async untilItLeadsTo(direct: string): Promise<void> {
    await eventually(async () => {
      const client = new Client({ connectionString: this.urlOf(direct) });
      client.on('error', () => undefined); // connecting fails with it too
      await client.connect();
      await client.end();
    });
  }

  async stop(): Promise<void> {
    await this.process.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** How another user than root runs it. */
function unprivileged(): { runAs?: RunAs } {
  if (process.getuid?.() !== 0) return {};
  return { runAs: { prefix: ['setpriv', `--reuid=${USER}`, `--regid=${USER}`, '--clear-groups'] } };
}

function program(): string {
  const found = PROGRAMS.find((name) => spawnSync(name, ['--version']).status === 0);
  if (!found) throw new Error('pgbouncer is not installed: apt-get install pgbouncer');
  return found;
}
