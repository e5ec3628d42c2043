import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { startPostgres } from '../../src/embedded/embedded-postgres.js';
import { clusterFolder } from '../../src/embedded/postgres-cluster.js';
import { keptPort } from '../../src/embedded/ports.js';
import type { RunningServer } from '../../src/embedded/server-options.js';
import { eventually } from './eventually.js';

const run = promisify(execFile);

/** A real PostgreSQL that archives its WAL, with its backups in a folder beside it. */
export class ArchivedPostgres {
  private constructor(
    private readonly folder: string,
    private readonly dataDir: string,
    private server: RunningServer,
  ) {}

  static async start(): Promise<ArchivedPostgres> {
    const folder = await mkdtemp(join(tmpdir(), 'tms-restore-'));
    await chmod(folder, 0o755); // PostgreSQL runs as another user where the tests run as root
    const wal = join(folder, 'wal');
    await mkdir(wal);
    await chmod(wal, 0o777);
    const dataDir = join(folder, 'lost');
    const postgres = new ArchivedPostgres(folder, dataDir, await launch(dataDir));
    await postgres.sql(`ALTER SYSTEM SET archive_mode = 'on'`);
    await postgres.sql(`ALTER SYSTEM SET archive_command = 'cp "%p" "${wal}/%f"'`);
    await postgres.stop();
    postgres.server = await launch(dataDir);
    return postgres;
  }

  get url(): string {
    return this.server.url;
  }

  /** What the commands of docs/operations.md name: the backup, the archive and the folder of the restored server. */
  get places(): { BASE: string; WAL: string; DATA: string } {
    const { folder } = this;
    return {
      BASE: join(folder, 'base'),
      WAL: join(folder, 'wal'),
      DATA: clusterFolder(join(folder, 'restored')),
    };
  }

  sql(text: string): Promise<any[]> {
    return this.connected(async (client) => (await client.query(text)).rows);
  }

  /** While the server works, by the functions that pg_basebackup calls: npm brings no pg_basebackup. */
  async takeBackup(): Promise<void> {
    const { BASE } = this.places;
    await this.connected(async (client) => {
      await client.query(`SELECT pg_backup_start('test', fast => true)`);
      // A file may vanish while it is copied: recovery does without.
      await run('cp', ['-a', clusterFolder(this.dataDir), BASE]).catch(() => undefined);
      const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop()');
      const label = join(BASE, 'backup_label');
      await writeFile(label, rows[0].labelfile);
      const { uid, gid } = await stat(BASE); // PostgreSQL's, not ours
      await chown(label, uid, gid);
    });
    await rm(join(BASE, 'postmaster.pid'));
    const wal = join(BASE, 'pg_wal');
    for (const name of await readdir(wal)) await rm(join(wal, name), { recursive: true });
  }

  /** Has all WAL so far in the archive. */
  async archiveAll(): Promise<void> {
    const [{ file }] = await this.sql('SELECT pg_walfile_name(pg_switch_wal()) AS file');
    await eventually(async () => {
      if (!(await readdir(this.places.WAL)).includes(file)) throw new Error(`${file} is not archived`);
    });
  }

  /** Runs a script that makes the folder of the restored server, stops this server and starts that one. */
  async restoreBy(script: string, moment: string): Promise<void> {
    await this.stop();
    const restored = join(this.folder, 'restored');
    await mkdir(restored);
    await run('sh', ['-ec', script], { env: { ...process.env, ...this.places, MOMENT: moment } });
    this.server = await launch(restored);
    await eventually(async () => {
      const [{ recovers }] = await this.sql('SELECT pg_is_in_recovery() AS recovers');
      if (recovers) throw new Error('Recovery has not ended');
    });
  }

  async stop(): Promise<void> {
    await this.server.stop();
  }

  async remove(): Promise<void> {
    await this.stop();
    await rm(this.folder, { recursive: true, maxRetries: 10 });
  }

  private async connected<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
    const client = new Client({ connectionString: this.url });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }
}

async function launch(dataDir: string): Promise<RunningServer> {
  await mkdir(dataDir, { recursive: true });
  const progress = () => undefined; // faults are thrown
  const port = await keptPort(dataDir, 'postgres', progress);
  return startPostgres({ dataDir, port, password: 'of-a-test', durable: true, progress });
}
