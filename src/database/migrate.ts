import { setTimeout as delay } from 'node:timers/promises';
import {
  DataSource,
  type DataSourceOptions,
  type Logger,
  MigrationExecutor,
  type QueryRunner,
  QueryRunnerAlreadyReleasedError,
} from 'typeorm';
import { BoundedClient, type BoundedConfig, optionsOf, SERVER_KEEPALIVES } from './bounded-client.js';

/** Any fixed number: the key of the lock that processes take when they start at the same time. */
const MIGRATION_LOCK = 7_463_201;

/** Milliseconds between two looks whether another process has finished migrating, and between two lines that it has not. */
const TURN_CHECK = 200;
const TURN_NOTE = 10_000;

/**
 * Milliseconds that a statement of a migration waits for a lock. Statements of the service that need the table wait behind
 * it, so it ends well before these would fail (bounded-client.ts). Longer than the second after which PostgreSQL ends an
 * autovacuum that is in the way.
 */
const LOCK_TIMEOUT = 1_500;

/** Milliseconds between two statements of a transaction, after which PostgreSQL ends it. */
const IDLE_TIMEOUT = 5_000;

/** Milliseconds until the next try, for those who have waited behind the last one; twice as many each time. */
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 10_000;

/** Milliseconds after which a migration that gets no lock fails. */
const PATIENCE = 600_000;

/** How often migrations are begun on new connections. */
const MOST_BEGINNINGS = 3;

/** SQLSTATEs of a lock that was not to be had in time, and of two who waited for each other. */
const LOCK_STATES = new Set(['55P03', '40P01']);

const unheard = (): void => undefined;

/** TypeORM prints each try that fails to standard output, which is for what commands answer. */
const SILENT: Logger = {
  logQuery: unheard,
  logQueryError: unheard,
  logQuerySlow: unheard,
  logSchemaBuild: unheard,
  logMigration: unheard,
  log: unheard,
};

/** One connection holds the lock, the other migrates. Its statements have no limit: a large table takes its time. */
const PATIENT = { entities: [], logger: SILENT, poolSize: 2 };
const PATIENT_CONNECTIONS = {
  Client: BoundedClient,
  connectionTimeoutMillis: 10_000,
  statementTimeout: null,
  keepAlive: true,
  lock_timeout: LOCK_TIMEOUT,
  // A process that stands still, or whose host vanishes, must not keep its locks: other processes wait for them.
  idle_in_transaction_session_timeout: IDLE_TIMEOUT,
  options: optionsOf(SERVER_KEEPALIVES),
};

/** Who is told that a migration has to wait. */
export interface MigrationLog {
  warn(message: string, context: string): void;
}

/**
 * Brings the database to this version's schema while other processes use it. A migration that does not get a lock soon lets
 * go of all that it has, so that those behind it go on, and is tried again. Ten processes may call it at once: one
 * migrates, the others wait for it and find nothing left to do.
 * @param source whose migrations these are, and whose database, on connections of its own
 * @param access how to reach it with a session, for the lock, where that is another way than the source's
 * @returns the names of the migrations that were run
 */
export async function migrate(
  source: DataSource,
  log?: MigrationLog,
  { connectionString, hosts }: BoundedConfig = {},
): Promise<string[]> {
  const extra = {
    ...PATIENT_CONNECTIONS,
    ...(connectionString !== undefined && { connectionString, hosts }),
  };
  const options = { ...source.options, ...PATIENT, extra } as DataSourceOptions;
  const run = new Set<string>();
  for (let beginning = 1; ; beginning += 1) {
    try {
      await migrateOnce(options, run, log);
      return [...run];
    } catch (error) {
      if (!(error instanceof QueryRunnerAlreadyReleasedError)) throw error;
      const problem =
        'A migration lost its connection, perhaps as this process stood still; nothing of it stays';
      if (beginning === MOST_BEGINNINGS) throw new Error(problem, { cause: error });
      log?.warn(`${problem}, and it is tried again`, 'Migrations');
    }
  }
}

/** @param run gets the names of the migrations that are pending */
async function migrateOnce(options: DataSourceOptions, run: Set<string>, log?: MigrationLog): Promise<void> {
  const migrating = await new DataSource(options).initialize();
  try {
    const lock = migrating.createQueryRunner();
    await takeTurn(lock, log);
    await runPending(migrating, run, log);
    await lock.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    await lock.release();
  } finally {
    await migrating.destroy();
  }
}

/**
 * Waits while another process migrates, however long it takes: its lock ends with its connection. Asks again and again
 * instead of waiting in one statement: an index that is made concurrently waits for all statements under way, so that
 * the two would wait for each other for ever.
 */
async function takeTurn(lock: QueryRunner, log?: MigrationLog): Promise<void> {
  for (let waited = 0; ; waited += TURN_CHECK) {
    const [row] = await lock.query('SELECT pg_try_advisory_lock($1) AS taken', [MIGRATION_LOCK]);
    if (row.taken) return;
    if (waited > 0 && waited % TURN_NOTE === 0) log?.warn(await whoMigrates(lock), 'Migrations');
    await delay(TURN_CHECK);
  }
}

async function whoMigrates(lock: QueryRunner): Promise<string> {
  const [holder] = await lock.query(HOLDER, [MIGRATION_LOCK]);
  return `Another process migrates the database; this one waits for it${holder ? ` (${holder.who})` : ''}`;
}

/** Whose connection has the lock. */
const HOLDER = `
  SELECT format('process %s of PostgreSQL, connected since %s', a.pid, a.backend_start::timestamptz(0)) AS who
  FROM pg_locks l JOIN pg_stat_activity a USING (pid)
  WHERE l.locktype = 'advisory' AND l.granted AND l.objid = $1::oid`;

async function runPending(migrating: DataSource, run: Set<string>, log?: MigrationLog): Promise<void> {
  const pending = async () => (await new MigrationExecutor(migrating).getPendingMigrations()).map(nameOf);
  for (const name of await pending()) run.add(name);
  const end = performance.now() + PATIENCE;
  for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    try {
      await migrating.runMigrations({ transaction: 'each' });
      return;
    } catch (error) {
      if (!LOCK_STATES.has((error as { code?: string }).code ?? '')) throw error;
      const [name] = await pending();
      const problem = `The migration ${name} does not get a lock: ${await oldestTransaction(migrating)}`;
      if (performance.now() > end) throw new Error(problem, { cause: error });
      log?.warn(`${problem}; it is tried again`, 'Migrations');
      await delay(pause);
    }
  }
}

function nameOf({ name }: { name: string }): string {
  return name;
}

/** Most probably that which is in the way. */
async function oldestTransaction(migrating: DataSource): Promise<string> {
  const [oldest] = await migrating.query(OLDEST_TRANSACTION);
  if (!oldest) return 'no other transaction is open any more';
  return `the oldest transaction, ${oldest.seconds} s old, is that of process ${oldest.pid} (${oldest.application_name})`;
}

const OLDEST_TRANSACTION = `
  SELECT pid, application_name, round(extract(epoch FROM now() - xact_start)) AS seconds
  FROM pg_stat_activity
  WHERE datname = current_database() AND xact_start IS NOT NULL AND pid <> pg_backend_pid()
  ORDER BY xact_start LIMIT 1`;
