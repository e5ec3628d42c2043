import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../ormconfig.js';
import { Clock } from '../src/common/clock.js';
import { Heartbeats } from '../src/common/heartbeat.js';
import { MetricsRegistry } from '../src/common/metrics-registry.js';
import { Pools } from '../src/common/pools.js';
import { Config } from '../src/config/config.js';
import { workAccess } from '../src/database/access.js';
import { Database } from '../src/database/database.js';
import { migrate } from '../src/database/migrate.js';
import { ExpiryService } from '../src/scheduling/expiry.service.js';
import { KeepersService } from '../src/scheduling/keepers.service.js';
import { MESSAGES } from '../src/scheduling/parted-tables.js';
import { type Partition, PartitionStore } from '../src/scheduling/partition.store.js';
import { PartitionsService } from '../src/scheduling/partitions.service.js';
import type { ShardLeasesService } from '../src/shards/shard-leases.service.js';
import { createTestDatabase, type TestDatabase } from './support/infrastructure.js';

const MILLION = 1_000_000;
const DAY = 86_400_000;

/** More than what a partition may have to be small. */
const MANY = 20_500;

const TENANT = '00000000-0000-0000-0000-000000000001';
const TABLES = ['message_logs', 'message_events', 'ledger_entries'];
const FIRST = { from: null, to: 10 * MILLION };

let test: TestDatabase;
let source: DataSource;
let database: Database;
let store: PartitionStore;
const clock = new Clock();
const config = Object.assign(new Config(), { RETENTION_MESSAGES: 30, RETENTION_INBOX: 30 });

beforeEach(async () => {
  test = await createTestDatabase();
  // As through a connection pooler, which takes each command by itself.
  const addresses = {
    DATABASE_URL: test.url,
    DATABASE_DIRECT_URL: test.url,
    DATABASE_PREPARED_STATEMENTS: 'off',
  } as const;
  source = await new DataSource(dataSourceOptions(test.url, 4, workAccess(addresses))).initialize();
  await migrate(source);
  database = new Database(source, new Heartbeats(), new Pools(new MetricsRegistry()));
  store = new PartitionStore(database);
});
afterEach(async () => {
  await source.destroy();
  await test.drop();
});

const query = (sql: string, values: unknown[] = []): Promise<Record<string, any>[]> =>
  source.query(sql, values);
/** It makes partitions when it is told to. */
const keeper = () =>
  new PartitionsService(store, clock, config, new KeepersService({} as ShardLeasesService, new Heartbeats()));
const expiry = () => new ExpiryService(database, store, clock, config);
const ranges = async (table: string) => (await store.list(table)).map(({ from, to }) => ({ from, to }));
const use = (id: number, sequence = 'message_logs_id_seq') => query('SELECT setval($1, $2)', [sequence, id]);

/** Adds messages with ids from `from` on, each with an event and a charge. */
async function add(from: number, count: number, { status = 'read', days = 0 } = {}): Promise<void> {
  await query(
    `WITH message AS (
      INSERT INTO message_logs (id, tenant_id, messaging_account_id, template_id, phone, template_name, language,
        components, status, auto_retry_on_frequency_cap, conversation_category, cost, currency, created_at, sent_at)
      SELECT $1::bigint + n, $2, 1, 1, '12025550100', 'a', 'en', '[]', $3, false, 'UTILITY', 1, 'USD',
        now() - $4 * interval '1 day', CASE WHEN $3 = 'read' THEN now() - $4 * interval '1 day' END
      FROM generate_series(0, $5::integer - 1) n RETURNING id
    ), event AS (
      INSERT INTO message_events (message_log_id, event, occurred_at) SELECT id, 'test', now() FROM message
    )
    INSERT INTO ledger_entries (tenant_id, message_log_id, kind, amount, currency, created_at)
    SELECT $2, id, 'charge', 1, 'USD', now() FROM message`,
    [from, TENANT, status, days, count],
  );
}

async function counts(): Promise<number[]> {
  const [row] = await query(`SELECT (SELECT count(*) FROM message_logs)::integer AS messages,
    (SELECT count(*) FROM message_events)::integer AS events, (SELECT count(*) FROM ledger_entries)::integer AS entries`);
  return Object.values(row as Record<string, number>);
}

describe('Partitions', () => {
  it('are made ahead, the same ones for messages, events and ledger', async () => {
    await keeper().makeAhead();
    expect(await ranges('message_logs')).toEqual([FIRST, { from: 10 * MILLION, to: null }]);
    await use(5 * MILLION);
    await keeper().makeAhead();
    await keeper().makeAhead();
    const wanted = [FIRST, { from: 10 * MILLION, to: 20 * MILLION }, { from: 20 * MILLION, to: null }];
    for (const table of TABLES) expect(await ranges(table)).toEqual(wanted);
    await use(6 * MILLION, 'webhook_inbox_id_seq');
    await keeper().makeAhead();
    expect(await ranges('webhook_inbox')).toEqual(wanted);
  });

  it('are the larger, the faster messages come', async () => {
    await add(4 * MILLION, 1, { days: 1 });
    await use(5 * MILLION);
    await keeper().makeAhead();
    // A million a day: an eighth of the thirty days that are kept is less than the least. Ten times as many are not.
    expect((await ranges('message_logs')).at(-1)).toEqual({ from: 20 * MILLION, to: null });
    await query(`UPDATE message_logs SET created_at = now() - interval '2 hours'`);
    await use(19 * MILLION);
    await query('UPDATE message_logs SET id = $1', [18 * MILLION]);
    await keeper().makeAhead();
    const last = (await ranges('message_logs')).at(-1);
    expect(last?.from).toBeGreaterThanOrEqual(64 * MILLION);
    expect(last?.from).toBeLessThanOrEqual(66 * MILLION);
  });

  it('never run out: what comes before the next one is made goes into the last, which gets its end later', async () => {
    await add(25 * MILLION, 100);
    await use(25 * MILLION + 100);
    await keeper().makeAhead();
    for (const table of TABLES)
      expect(await ranges(table)).toEqual([
        FIRST,
        { from: 10 * MILLION, to: 35 * MILLION + 100 },
        { from: 35 * MILLION + 100, to: null },
      ]);
    await add(60 * MILLION, 1);
    expect(await counts()).toEqual([101, 101, 101]);
  });

  it('are as the first one: the same indexes, triggers and free space', async () => {
    await use(6 * MILLION);
    await keeper().makeAhead();
    const [shape, ...others] = await Promise.all(
      ['from_0', 'from_10000000', 'from_20000000'].map((part) =>
        query(
          `SELECT (SELECT array_agg(p.inhparent::regclass::text ORDER BY 1) FROM pg_index x
              JOIN pg_inherits p ON p.inhrelid = x.indexrelid WHERE x.indrelid = c.oid) AS indexes,
            (SELECT array_agg(tgname::text ORDER BY 1) FROM pg_trigger WHERE tgrelid = c.oid) AS triggers, c.reloptions
          FROM pg_class c WHERE c.oid = $1::regclass`,
          [`message_logs_${part}`],
        ),
      ),
    );
    for (const other of others) expect(other).toEqual(shape);
    await add(12 * MILLION, 1);
    await expect(query('DELETE FROM ledger_entries_from_10000000')).rejects.toThrow('append-only');
  });

  it('are made once by several who try at the same time, and not while somebody reads for long', async () => {
    await use(6 * MILLION);
    const reader = source.createQueryRunner();
    await reader.startTransaction();
    await reader.query('SELECT count(*) FROM message_logs');
    await expect(keeper().makeAhead()).rejects.toThrow('lock timeout');
    await reader.commitTransaction();
    await reader.release();
    await Promise.allSettled([keeper().makeAhead(), keeper().makeAhead(), keeper().makeAhead()]);
    await keeper().makeAhead();
    for (const table of TABLES)
      expect((await ranges(table)).map(({ from }) => from)).toEqual([null, 10 * MILLION, 20 * MILLION]);
  });
});

describe('A partition whose messages are all old', () => {
  it('is dropped with their events and without their entries; what has not ended moves to a small one', async () => {
    await add(1, MANY, { days: 40 });
    await add(100_000, 3, { status: 'scheduled', days: 40 });
    await query(`UPDATE message_logs SET read_at = now() WHERE id = 7`);
    await query(`INSERT INTO message_logs (id, tenant_id, messaging_account_id, template_id, phone, template_name, language,
        components, status, auto_retry_on_frequency_cap, retry_of, conversation_category, cost, currency, created_at, sent_at)
      SELECT 200000 + n, '${TENANT}', 1, 1, '1', 'a', 'en', '[]', 'sent', false, CASE n WHEN 1 THEN 7 ELSE 8 END, 'UTILITY', 1,
        'USD', now() - interval '40 days', now() - interval '40 days' FROM generate_series(1, 2) n`);
    await add(10 * MILLION, 5);
    await use(10 * MILLION + 5);
    const size = () =>
      query(`SELECT pg_table_size('message_logs_from_0')::integer AS bytes`).then(([row]) => row?.['bytes']);
    const before = await size();
    const pointer = await query('SELECT * FROM message_logs WHERE id = 100001');
    await expiry().messages();
    expect(await counts()).toEqual([9, 9, MANY + 8]);
    expect(await size()).toBeLessThan(before / 10);
    expect(await query('SELECT * FROM message_logs WHERE id = 100001')).toEqual(pointer);
    expect(await query('SELECT retry_of::integer FROM message_retries')).toEqual([{ retry_of: 7 }]);
    expect((await store.list('message_logs')).map(({ name }) => name)).toEqual([
      'message_logs_from_0',
      'message_logs_from_10000000',
    ]);
    // What stayed goes on, then goes by itself; the empty partition is dropped.
    await query(
      `UPDATE message_logs SET status = 'read', read_at = now() - interval '31 days' WHERE id < ${MILLION}`,
    );
    await expiry().messages();
    await expiry().messages();
    expect(await counts()).toEqual([5, 5, MANY + 8]);
    expect((await store.list('message_logs')).map(({ from }) => from)).toEqual([10 * MILLION]);
  });

  it('stays while one of them is young, if it was filled fast; else old ones are deleted one by one', async () => {
    await add(1, MANY, { days: 31 });
    await add(100_000, 1, { days: 29 });
    await use(11 * MILLION);
    await expiry().messages();
    expect(await counts()).toEqual([MANY + 1, MANY + 1, MANY + 1]);
    await query(`UPDATE message_logs SET created_at = now() - interval '60 days' WHERE id = 1`);
    await expiry().messages();
    expect((await counts())[0]).toBe(1);
  });
});

describe('Deliveries in the inbox', () => {
  it('go with their partition, but for those that were put aside', async () => {
    await query(
      `INSERT INTO webhook_inbox (id, payload, received_at, next_try_at, processed_at, parked_at)
      SELECT n, 'some', at, at, CASE WHEN n > 2 THEN at END, CASE WHEN n = 2 THEN at END
      FROM generate_series(1, $1::integer) n, (SELECT now() - interval '31 days' AS at) a`,
      [MANY],
    );
    await use(11 * MILLION, 'webhook_inbox_id_seq');
    await expiry().inbox();
    expect(await query('SELECT id::integer FROM webhook_inbox ORDER BY id')).toEqual([{ id: 1 }, { id: 2 }]);
  });
});

it('A partition is dropped in the time that its rows take to be looked at, not to be deleted', async () => {
  await add(1, MANY, { days: 40 });
  await use(10 * MILLION);
  const [partition] = (await store.list('message_logs')) as [Partition];
  expect(await store.staying(MESSAGES, partition, new Date(Date.now() - 30 * DAY), 10)).toEqual([]);
  expect(await store.drop(MESSAGES, partition, [])).toBe(true);
  expect(await store.drop(MESSAGES, partition, [])).toBe(false);
  expect(await counts()).toEqual([0, 0, MANY]);
});

it('A process that stands still while it changes partitions keeps its locks for a second at most', async () => {
  await use(10 * MILLION);
  await keeper().makeAhead();
  await query('CREATE TABLE seen (idle text)');
  const look = `INSERT INTO seen
    SELECT current_setting('idle_in_transaction_session_timeout') WHERE $1::bigint IS NOT NULL`;
  const [partition] = (await store.list('message_logs')) as [Partition];
  expect(await store.drop({ ...MESSAGES, beforeDrop: { name: '', text: look } }, partition, [])).toBe(true);
  expect(await query('SELECT idle FROM seen')).toEqual([{ idle: '1s' }]);
});
