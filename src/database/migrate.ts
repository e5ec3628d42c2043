import pg from 'pg';
import type { DataSource } from 'typeorm';

/** Any fixed number; the processes that start at the same time meet at it. */
const MIGRATION_LOCK = 7_463_201;

/**
 * Brings the database to this version's schema. Ten processes may call it at once: one migrates, the others wait
 * for it and find nothing left to do.
 * @param url of the same database, for the connection that holds the lock
 * @returns the names of the migrations that were run
 */
export async function migrate(source: DataSource, url: string): Promise<string[]> {
  const lock = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await lock.connect();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const migrations = await source.runMigrations({ transaction: 'each' });
    return migrations.map((migration) => migration.name);
  } finally {
    await lock.end();
  }
}
