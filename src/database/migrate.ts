import { DataSource, type DataSourceOptions } from 'typeorm';

/** Any fixed number: the key of the lock that processes take when they start at the same time. */
const MIGRATION_LOCK = 7_463_201;

/** One connection holds the lock, the other migrates. Neither has a limit: a large table takes its time. */
const UNBOUNDED = {
  entities: [],
  poolSize: 2,
  extra: { connectionTimeoutMillis: 10_000, keepAlive: true },
};

/**
 * Brings the database to this version's schema. Ten processes may call it at once: one migrates, the others wait
 * for it and find nothing left to do.
 * @param source whose database it is, on connections of its own
 * @returns the names of the migrations that were run
 */
export async function migrate(source: DataSource): Promise<string[]> {
  const options = { ...source.options, ...UNBOUNDED } as DataSourceOptions;
  const migrating = await new DataSource(options).initialize();
  try {
    const lock = migrating.createQueryRunner();
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const migrations = await migrating.runMigrations({ transaction: 'each' });
    await lock.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    await lock.release();
    return migrations.map((migration) => migration.name);
  } finally {
    await migrating.destroy();
  }
}
