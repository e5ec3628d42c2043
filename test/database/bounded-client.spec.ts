import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { BOUNDED, BoundedClient, NoAnswerError } from '../../src/database/bounded-client.js';
import { isDatabaseUnavailable } from '../../src/database/database-errors.js';
import { BreakableProxy } from '../support/breakable-proxy.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/infrastructure.js';

describe('A bounded connection', () => {
  let database: TestDatabase;
  let proxy: BreakableProxy;
  let pool: pg.Pool;
  let direct: pg.Client;

  beforeEach(async () => {
    database = await createTestDatabase();
    proxy = await BreakableProxy.before(database.url);
    pool = new pg.Pool({
      Client: BoundedClient,
      ...BOUNDED,
      connectionString: proxy.url,
      max: 4,
    });
    pool.on('error', () => undefined); // the end of idle connections
    direct = new pg.Client({ connectionString: database.url });
    await direct.connect();
  });
  afterEach(async () => {
    await direct.end();
    await proxy.break();
    await pool.end();
    await database.drop();
  });

  /** Opens all connections of the pool, and leaves them idle. */
  async function openAll(): Promise<void> {
    const clients = await Promise.all(Array.from({ length: 4 }, () => pool.connect()));
    for (const client of clients) client.release();
    expect(pool.idleCount).toBe(4);
  }

  it('plans for an SSD and compiles nothing, whatever the database has as its default', async () => {
    const { rows } = await direct.query<{ name: string }>('SELECT current_database() AS name');
    for (const setting of ['random_page_cost = 4', 'jit = on'])
      await direct.query(`ALTER DATABASE "${rows[0]!.name}" SET ${setting}`);
    const shown = `SELECT current_setting('random_page_cost') AS cost, current_setting('jit') AS jit`;
    expect((await pool.query(shown)).rows).toEqual([{ cost: '1.1', jit: 'off' }]);
  });

  it('is ended by PostgreSQL within half a minute when its host has vanished', async () => {
    const names = ['tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_keepalives_count'];
    const shown = `SELECT ${names.map((name) => `current_setting('${name}')::integer AS ${name}`).join()}`;
    const [{ tcp_keepalives_idle: idle, tcp_keepalives_interval: interval, tcp_keepalives_count: count }] = (
      await pool.query(shown)
    ).rows;
    expect(idle + interval * count).toBeLessThanOrEqual(30);
  });

  it('gives up a statement without an answer, and idle connections with it', async () => {
    await openAll();
    proxy.silence('open');
    const error = await pool
      .query({ text: 'SELECT 1', timeout: 200 } as pg.QueryConfig)
      .catch((e: unknown) => e);
    expect(error).toBeInstanceOf(NoAnswerError);
    expect(isDatabaseUnavailable(error)).toBe(true);
    await eventually(() => expect(pool.totalCount).toBe(0));
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  it('keeps a connection that has answered since', async () => {
    const [slow, quick] = [await pool.connect(), await pool.connect()];
    slow.on('error', () => undefined); // the end of the connection
    const waiting = slow.query({ text: 'SELECT pg_sleep(60)', timeout: 500 } as pg.QueryConfig);
    await quick.query('SELECT 1');
    quick.release();
    await expect(waiting).rejects.toThrow(NoAnswerError);
    slow.release(true);
    expect(pool.idleCount).toBe(1);
  });

  it('ends a statement on the server too when it gives the statement up', async () => {
    await pool.query({ text: 'SELECT pg_sleep(60)', timeout: 200 } as pg.QueryConfig).catch(() => undefined);
    await eventually(async () => {
      const { rows } = await direct.query(
        `SELECT FROM pg_stat_activity WHERE query LIKE '%pg_sleep(60)' AND datname = current_database()`,
      );
      expect(rows).toEqual([]);
    });
  });

  it('returns an answer that came while the process itself stood still', async () => {
    const answer = pool.query({ text: 'SELECT 1 AS one', timeout: 300 } as pg.QueryConfig);
    await new Promise(setImmediate);
    await eventually(() => expect(pool.totalCount).toBe(1));
    const end = performance.now() + 1_000;
    while (performance.now() < end); // the whole process stands still
    expect((await answer).rows).toEqual([{ one: 1 }]);
  });

  it('does not wait for a lock for ever, as the server ends the statement', async () => {
    await direct.query('CREATE TABLE locked ()');
    await direct.query('BEGIN; LOCK TABLE locked');
    await expect(pool.query('SELECT FROM locked')).rejects.toMatchObject({ code: '55P03' });
    await direct.query('ROLLBACK');
  });
});

it('A server that ends a connection together with its greeting ends no process', async () => {
  const ready = Buffer.from('5200000008000000005a0000000549', 'hex'); // AuthenticationOk, ReadyForQuery
  const fields = Buffer.from(
    'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0',
  );
  const length = Buffer.alloc(4);
  length.writeInt32BE(fields.length + 4);
  const ended = Buffer.concat([Buffer.from('E'), length, fields]);
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(Buffer.concat([ready, ended])));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const pool = new pg.Pool({ host: '127.0.0.1', port, user: 'x', Client: BoundedClient });
  pool.on('error', () => undefined);
  const client = await pool.connect();
  await expect(client.query('SELECT 1')).rejects.toThrow('not queryable');
  client.release(true);
  await pool.end();
  server.close();
});
