import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { workAccess } from '../../src/database/access.js';
import { BoundedClient } from '../../src/database/bounded-client.js';
import { checkPooler } from '../../src/database/pooler.js';
import { createTestDatabase, type TestDatabase } from '../support/infrastructure.js';
import { PgBouncer, preparedLimit } from '../support/pgbouncer.js';
import { query } from '../support/postgres-with-standby.js';

describe('Connections through a pooler', () => {
  let database: TestDatabase;
  let bouncer: PgBouncer;
  let DATABASE_URL: string;
  let pool: pg.Pool;

  beforeAll(async () => {
    database = await createTestDatabase();
    await query(
      database.url,
      `ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET random_page_cost = 4`,
    );
    bouncer = await PgBouncer.before(database.url, preparedLimit(0));
    DATABASE_URL = bouncer.urlOf(database.url);
    const addresses = {
      DATABASE_URL,
      DATABASE_DIRECT_URL: database.url,
      DATABASE_PREPARED_STATEMENTS: 'off',
    } as const;
    const settings = { default_transaction_read_only: 'on', statement_timeout: '700' };
    pool = new pg.Pool({ ...workAccess(addresses, settings), Client: BoundedClient, max: 4 });
  });
  afterAll(async () => {
    await pool.end();
    await bouncer.stop();
    await database.drop();
  });

  const SHOWN = [
    'lock_timeout',
    'statement_timeout',
    'transaction_read_only',
    'client_connection_check_interval',
    'random_page_cost',
  ];
  const shown = `SELECT ${SHOWN.map((name) => `current_setting('${name}') AS ${name}`).join(', ')}`;
  const set = {
    lock_timeout: '2500ms',
    statement_timeout: '700ms',
    transaction_read_only: 'on',
    client_connection_check_interval: '1s',
    random_page_cost: '1.1',
  };

  it('have their settings in each statement, and leave none to others', async () => {
    expect((await pool.query(shown)).rows).toEqual([set]);
    const other = new pg.Client({ connectionString: DATABASE_URL });
    await other.connect();
    expect((await other.query(shown)).rows).toEqual([
      {
        lock_timeout: '0',
        statement_timeout: '0',
        transaction_read_only: 'off',
        client_connection_check_interval: '0',
        random_page_cost: '4',
      },
    ]);
    await other.end();
  });

  it('have them to the end of a transaction', async () => {
    const client = await pool.connect();
    await client.query('BEGIN');
    await client.query({ name: 'one', text: 'SELECT $1::integer AS one', values: [1] });
    expect((await client.query(shown)).rows).toEqual([set]);
    await expect(client.query('CREATE TABLE refused ()')).rejects.toMatchObject({ code: '25006' });
    await client.query('ROLLBACK');
    client.release();
  });

  it('end a statement that takes too long', async () => {
    await expect(pool.query('SELECT pg_sleep(20)')).rejects.toMatchObject({ code: '57014' });
  });

  it('run a named statement on whichever connection of the server is free', async () => {
    const statement = { name: 'notify', text: 'SELECT $1::text AS said, pg_sleep(0.01)' };
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => pool.query({ ...statement, values: [`${i}`] })),
    );
    expect(answers.map(({ rows }) => rows[0].said)).toEqual(Array.from({ length: 40 }, (_, i) => `${i}`));
  });

  it('say what is wrong with a statement, and go on', async () => {
    await expect(
      pool.query({ name: 'wrong', text: 'SELECT $1::integer', values: ['x'] }),
    ).rejects.toMatchObject({
      code: '22P02',
    });
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  const faultOf = async (variables: Partial<Parameters<typeof checkPooler>[0]>) => {
    try {
      await checkPooler({ DATABASE_URL, ...variables });
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('are a fault of the start without the address of PostgreSQL itself', async () => {
    expect(await faultOf({})).toContain('DATABASE_DIRECT_URL is not set');
    expect(
      await faultOf({ DATABASE_DIRECT_URL: DATABASE_URL, DATABASE_PREPARED_STATEMENTS: 'off' }),
    ).toContain('DATABASE_DIRECT_URL leads to a connection pooler');
    expect(
      await faultOf({ DATABASE_DIRECT_URL: database.url, DATABASE_PREPARED_STATEMENTS: 'off' }),
    ).toBeNull();
    expect(await faultOf({ DATABASE_URL: database.url })).toBeNull();
  });

  it('are a fault with prepared statements, where the pooler does not look after these', async () => {
    expect(await faultOf({ DATABASE_DIRECT_URL: database.url })).toContain(
      'DATABASE_PREPARED_STATEMENTS must be off',
    );
    // Nothing is left behind, so that the next start finds the same.
    expect(await faultOf({ DATABASE_DIRECT_URL: database.url })).toContain(
      'DATABASE_PREPARED_STATEMENTS must be off',
    );
  });

  it('are a fault where both addresses are of different databases', async () => {
    const other = await createTestDatabase();
    const fault = await faultOf({ DATABASE_DIRECT_URL: other.url, DATABASE_PREPARED_STATEMENTS: 'off' });
    expect(fault).toContain('leads to another database');
    await other.drop();
  });
});
