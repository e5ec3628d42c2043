import { randomBytes } from 'node:crypto';
import { ConfigError } from '../config/config.js';
import { type Addresses, sessionAccess, workAccess } from './access.js';
import { BoundedClient, type BoundedConfig } from './bounded-client.js';

const NO_DIRECT_URL =
  'DATABASE_DIRECT_URL is not set, and DATABASE_URL leads to a connection pooler such as PgBouncer: set ' +
  'DATABASE_DIRECT_URL to the address of PostgreSQL itself, for notifications and migrations, which no pooler passes on';
const NOT_DIRECT =
  'DATABASE_DIRECT_URL leads to a connection pooler: it must be the address of PostgreSQL itself';
const OTHER_DATABASE =
  'DATABASE_DIRECT_URL leads to another database than DATABASE_URL: it must be the same one';
const NAMES_ARE_LOST =
  'DATABASE_PREPARED_STATEMENTS must be off: the connection pooler of DATABASE_URL does not look after prepared ' +
  'statements (PgBouncer does from 1.21 on, with max_prepared_statements above 0)';

/**
 * Looks whether a connection pooler stands between this process and PostgreSQL, and whether the configuration says so.
 * Else the service would seem to run, but hear of nothing and fail now and then.
 * @throws ConfigError that says what to set
 */
export async function checkPooler(addresses: Addresses): Promise<void> {
  const isTold = addresses.DATABASE_DIRECT_URL !== undefined;
  const work = await look(workAccess(addresses));
  if (work.isPooled && !isTold) throw new ConfigError([NO_DIRECT_URL]);
  if (!isTold) return;
  const direct = await look(sessionAccess(addresses));
  const faults = [
    direct.isPooled && NOT_DIRECT,
    direct.database !== work.database && OTHER_DATABASE,
    addresses.DATABASE_PREPARED_STATEMENTS !== 'off' && work.isPooled && !work.keepsNames && NAMES_ARE_LOST,
  ].filter((fault) => fault !== false);
  if (faults.length > 0) throw new ConfigError(faults);
}

interface Sight {
  isPooled: boolean;
  /** Whether what a client calls a prepared statement is the client's own affair. */
  keepsNames: boolean;
  /** What no two databases have in common. */
  database: string;
}

/** Looks with a connection of its own, which asks for no setting: poolers refuse them. */
async function look({ connectionString, hosts, connectionTimeoutMillis }: BoundedConfig): Promise<Sight> {
  const client = new BoundedClient({
    connectionString,
    hosts,
    connectionTimeoutMillis,
    application_name: 'template-messaging-service start',
  });
  client.on('error', () => undefined); // the statement under way fails with it
  await client.connect();
  try {
    const { rows } = await client.query(`
      SELECT pg_backend_pid() AS id,
        concat(extract(epoch FROM pg_postmaster_start_time()), ' ', current_database()) AS database`);
    // PostgreSQL tells each client its process. A pooler tells a number of its own.
    const isPooled = rows[0].id !== (client as unknown as { processID: number }).processID;
    return { isPooled, keepsNames: isPooled && (await keepsNames(client)), database: rows[0].database };
  } finally {
    await client.close();
  }
}

/**
 * A pooler that looks after prepared statements gives them names of its own on the server, as all of its clients share
 * these connections. Any other would hand the statement of one client to the next.
 */
async function keepsNames(client: BoundedClient): Promise<boolean> {
  const name = `probe_${randomBytes(8).toString('hex')}`;
  await client.query('BEGIN');
  const text = 'SELECT FROM pg_prepared_statements WHERE name = $1';
  const { rowCount } = await client.query({ name, text, values: [name] });
  if (rowCount !== 0) await client.query(`DEALLOCATE ${name}`);
  await client.query('COMMIT');
  return rowCount === 0;
}
