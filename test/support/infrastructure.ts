import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import type { Config } from '../../src/config/config.js';

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

async function asAdmin(sql: string): Promise<void> {
  const client = new Client({ connectionString: urlFrom('TEST_DATABASE_URL') });
  await client.connect();
  try {
    await client.query(sql);
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

/** A new, empty database for the caller alone, in a locale that sorts as people do, which many servers have. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  // Copying files is the faster way while fsync is off.
  const locale = "TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US'";
  await asAdmin(`CREATE DATABASE ${name} ${locale} STRATEGY file_copy`);
  const url = new URL(urlFrom('TEST_DATABASE_URL'));
  url.pathname = `/${name}`;
  const serviceUrl = pooled(url.href);
  return { url: url.href, serviceUrl, drop: () => asAdmin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
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
  return { DATABASE_DIRECT_URL: direct.href, DATABASE_PREPARED_STATEMENTS: 'off' };
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
