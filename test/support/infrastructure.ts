import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import type { Config } from '../../src/config/config.js';
import { migrate } from '../../src/database/migrate.js';
import { preparedStatements } from './pgbouncer.js';

/** The number of databases in the tests' Redis; number 0 has the counter by which the others are given out. */
const REDIS_DATABASES = 256;

function urlFrom(variable: 'TEST_DATABASE_URL' | 'TEST_REDIS_URL'): string {
  const url = process.env[variable];
  if (!url)
    throw new Error(
      `${variable} is not set: test/support/global-setup.mjs sets it for files that Jest runs.`,
    );
  return url;
}

async function asAdmin<Result>(use: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: urlFrom('TEST_DATABASE_URL') });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

export interface TestDatabase {
  /** The URL of PostgreSQL itself. */
  url: string;
  /** The URL for a service: the same, or with TEST_PGBOUNCER=1 that of a connection pooler. */
  serviceUrl: string;
  /** Removes it, closing what is still connected. */
  drop(): Promise<void>;
}

/** Sorts as people do, in a locale that many servers have. */
const EMPTY = "template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US'";

/** A new, empty database for the caller alone. */
export function createTestDatabase(): Promise<TestDatabase> {
  return createFrom(EMPTY);
}

/** A new database for the caller alone, which has this version's schema: a copy, as migrating takes half a second. */
export async function createMigratedDatabase(): Promise<TestDatabase> {
  template ??= makeTemplate();
  const database = await createFrom(await template);
  await changeInstallation(database.url);
  return database;
}

async function createFrom(source: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  // Copying files is the faster way while fsync is off.
  await asAdmin((client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${source} STRATEGY file_copy`));
  const url = urlOf(name);
  const drop = () =>
    asAdmin(async (client) => void (await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)));
  return { url, serviceUrl: pooled(url), drop };
}

function urlOf(database: string): string {
  const url = new URL(urlFrom('TEST_DATABASE_URL'));
  url.pathname = `/${database}`;
  return url.href;
}

const TEMPLATE = 'migrated';
/** A lock's number, which nothing else in the tests' PostgreSQL uses. */
const TEMPLATE_LOCK = 1;
let template: Promise<string> | undefined;

/** Makes the database that others are copied from, unless another of Jest's workers has made it. */
function makeTemplate(): Promise<string> {
  return asAdmin(async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [TEMPLATE]);
    if (rowCount) return TEMPLATE;
    const made = await createFrom(EMPTY);
    const source = await new DataSource(dataSourceOptions(made.url, 1)).initialize();
    await migrate(source);
    await source.destroy();
    await client.query(`ALTER DATABASE ${new URL(made.url).pathname.slice(1)} RENAME TO ${TEMPLATE}`);
    return TEMPLATE;
  });
}

/** A copy is an installation of its own: it does not take receipts of the others' messages for its own. */
async function changeInstallation(connectionString: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  await client.query('UPDATE installation SET id = $1', [randomBytes(8).toString('hex')]);
  await client.end();
}

/** @returns the URL by which the tests' pooler reaches the same database; where there is none, the URL itself */
function pooled(direct: string): string {
  const pooler = process.env['TEST_POOLER_URL'];
  const url = new URL(direct);
  if (pooler) url.host = new URL(pooler).host;
  return url.href;
}

/** What else a service has to know of the way to one of the test databases. */
export function poolerVariables(serviceUrl: string): Partial<Config> {
  const pathname = /\/(test_[0-9a-f]+)$/.exec(serviceUrl)?.[0];
  if (!process.env['TEST_POOLER_URL'] || pathname === undefined) return {};
  const direct = new URL(urlFrom('TEST_DATABASE_URL'));
  direct.pathname = pathname;
  return { DATABASE_DIRECT_URL: direct.href, DATABASE_PREPARED_STATEMENTS: preparedStatements() };
}

/** The URL of PostgreSQL itself, for what a test does beside a service. */
export function directUrlOf({ DATABASE_URL, DATABASE_DIRECT_URL }: Partial<Config>): string {
  return DATABASE_DIRECT_URL ?? DATABASE_URL ?? '';
}

/** The variables by which a process or a command reaches the database of a service. */
export function databaseVariables(config: Partial<Config>): Record<string, string> {
  const names = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_PREPARED_STATEMENTS'] as const;
  const known = names.map((name) => [name, config[name]]).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known) as Record<string, string>;
}

/**
 * The URL of an empty Redis database that no other caller has; with TEST_REDIS=cluster, of an empty cluster. Channels of
 * publish/subscribe are shared with other databases.
 */
export async function testRedisUrl(): Promise<string> {
  if (process.env['TEST_REDIS'] === 'cluster') {
    const { ownCluster } = await import('./own-cluster.js'); // only Jest can load it
    return (await ownCluster()).url;
  }
  const client = new Redis(urlFrom('TEST_REDIS_URL'));
  try {
    const calls = await client.incr('test-databases');
    const number = 1 + ((calls - 1) % (REDIS_DATABASES - 1));
    await client.select(number);
    await client.flushdb();
    const url = new URL(urlFrom('TEST_REDIS_URL'));
    url.pathname = `/${number}`;
    return url.href;
  } finally {
    client.disconnect();
  }
}
