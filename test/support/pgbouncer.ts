import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { eventually } from './eventually.js';

const PROGRAMS = ['pgbouncer', '/usr/sbin/pgbouncer'];

/** A connection pooler of Debian's package, in transaction mode, in front of all databases of a PostgreSQL. */
export class PgBouncer {
  private constructor(
    private readonly port: number,
    private readonly folder: string,
    private readonly child: ChildProcess,
  ) {}

  /** @param settings of its configuration file, beside those that make it fit for tests */
  static async before(url: string, settings: Record<string, string | number> = {}): Promise<PgBouncer> {
    const [target, port] = [new URL(url), await freePort()];
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
      ...settings,
    };
    const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
    const file = join(folder, 'pgbouncer.ini');
    const databases = `* = host=${target.hostname} port=${target.port}`;
    writeFileSync(file, ['[databases]', databases, '[pgbouncer]', ...lines, ''].join('\n'));
    const asUser = process.getuid?.() === 0 ? ['-u', 'postgres'] : [];
    const child = spawn(program(), ['-q', ...asUser, file], { stdio: 'ignore' });
    const bouncer = new PgBouncer(port, folder, child);
    await eventually(async () => {
      const client = new Client({ connectionString: bouncer.urlOf(url) });
      await client.connect();
      await client.end();
    });
    return bouncer;
  }

  /** The URL by which clients reach the same database through it. */
  urlOf(direct: string): string {
    const url = new URL(direct);
    url.host = `127.0.0.1:${this.port}`;
    return url.href;
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await ended;
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function program(): string {
  const found = PROGRAMS.find((name) => spawnSync(name, ['--version']).status === 0);
  if (!found) throw new Error('pgbouncer is not installed: apt-get install pgbouncer');
  return found;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
