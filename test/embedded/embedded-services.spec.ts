import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { findEmbedded, startEmbedded, type EmbeddedServices } from '../../src/embedded/embedded-services.js';
import { useTemporaryFolder } from '../support/temporary-folder.js';

const folder = useTemporaryFolder();
const dataDir = () => join(folder(), '.data');

let said: string[] = [];
let running: EmbeddedServices | undefined;

const start = async (needs = { postgres: true, redis: false }, durable = false) =>
  (running = await startEmbedded(needs, dataDir(), (line) => said.push(line), { durable }));

async function query(sql: string): Promise<unknown> {
  const client = new Client({ connectionString: running?.databaseUrl });
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows[0];
  } finally {
    await client.end();
  }
}

beforeEach(() => (said = []));
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

describe('the embedded services', () => {
  it('keep their data and addresses over a restart', async () => {
    const first = await start({ postgres: true, redis: true });
    await query(`CREATE TABLE kept AS SELECT 'Zürich' AS place`);
    expect(said).toContainEqual(expect.stringContaining('Creating a private PostgreSQL'));
    expect(await findEmbedded(dataDir())).toEqual({
      databaseUrl: first.databaseUrl,
      redisUrl: first.redisUrl,
    });
    await first.stop();
    expect(await findEmbedded(dataDir())).toBeUndefined();

    const second = await start({ postgres: true, redis: true });
    expect(second).toMatchObject({ databaseUrl: first.databaseUrl, redisUrl: first.redisUrl });
    expect(await query('SELECT place FROM kept')).toEqual(['Zürich']);
  });

  it('commit to disk, use UTF-8, and accept connections from this machine only', async () => {
    await start({ postgres: true, redis: false }, true);
    const settings = [
      'server_encoding',
      'synchronous_commit',
      'fsync',
      'listen_addresses',
      'jit',
      'timezone',
    ];
    expect(await query(`SELECT ${settings.map((name) => `current_setting('${name}')`).join(', ')}`)).toEqual([
      'UTF8',
      'on',
      'on',
      '127.0.0.1',
      'off',
      'UTC',
    ]);
  });

  it('are started only when they are needed', async () => {
    const { databaseUrl, redisUrl } = await start({ postgres: false, redis: true });
    expect(databaseUrl).toBeUndefined();
    const redis = new Redis(redisUrl ?? '');
    expect(await redis.config('GET', 'maxmemory-policy')).toEqual(['maxmemory-policy', 'noeviction']);
    await redis.quit();
    expect(await readdir(dataDir())).not.toContain('postgres');
  });
});

describe('a start with a fault', () => {
  it('does not disturb services that run in the same folder', async () => {
    await start();
    await expect(startEmbedded({ postgres: true, redis: false }, dataDir(), () => undefined)).rejects.toThrow(
      `in use by process ${process.pid}`,
    );
    expect(await query('SELECT 1')).toEqual([1]);
  });

  it('refuses data of another major version of PostgreSQL', async () => {
    await mkdir(join(dataDir(), 'postgres'), { recursive: true });
    await writeFile(join(dataDir(), 'postgres', 'PG_VERSION'), '15\n');
    await expect(start()).rejects.toThrow(/made by PostgreSQL 15, this is PostgreSQL 18: export its data/);
  });

  it('refuses a folder that is not a data folder of PostgreSQL', async () => {
    await mkdir(join(dataDir(), 'postgres', 'base'), { recursive: true });
    await expect(start()).rejects.toThrow(/postgres is damaged .*: restore it from a backup, or move/);
  });

  it('says what to do when the secrets do not fit the data', async () => {
    await (await start()).stop();
    await rm(join(dataDir(), 'secrets.json'));
    await expect(start()).rejects.toThrow(/The password in .* does not fit .*: restore that file/);
  });

  it('shows what PostgreSQL said when its data are damaged', async () => {
    await (await start()).stop();
    await rm(join(dataDir(), 'postgres', 'global', 'pg_control'));
    await expect(start()).rejects.toThrow(/did not start: .*restore .*pg_control/s);
    expect(await readFile(join(dataDir(), 'postgres.log'), 'utf8')).toContain('pg_control');
  });

  it('begins again when the first start was interrupted', async () => {
    await mkdir(join(dataDir(), 'postgres.unfinished-abcdef', 'base'), { recursive: true });
    await start();
    expect(await query('SELECT 1')).toEqual([1]);
    expect((await readdir(dataDir())).filter((name) => name.startsWith('postgres'))).toEqual([
      'postgres',
      'postgres.log',
    ]);
  });
});
