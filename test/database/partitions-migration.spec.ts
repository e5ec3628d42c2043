import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import { migrate } from '../../src/database/migrate.js';
import { UniquenessTables1763820000120 } from '../../src/database/migrations/1763820000120-uniqueness-tables.js';
import { createTestDatabase, type TestDatabase } from '../support/infrastructure.js';

const TENANT = '00000000-0000-0000-0000-000000000001';

/** Columns that go with this migration, or come with later ones. */
const OTHERS = 'digest,client_reference,metadata,valid_until,max_cost,expect,template_version,api_key_id';

/** Messages as before the migrations: some are of a campaign, one repeats another, and deliveries have digests. */
const FILL = `
  INSERT INTO message_logs (tenant_id, messaging_account_id, template_id, phone, template_name, language, components,
    status, auto_retry_on_frequency_cap, conversation_category, cost, currency, created_at, campaign_id, campaign_row,
    retry_of, error)
  SELECT '${TENANT}', 1, 1, '1202555' || n, 'a', 'en', '[{"type": "body"}]', 'sent', false, 'UTILITY', 0.0157, 'USD',
    now() - n * interval '1 second', CASE WHEN n > 900 THEN 5 END, CASE WHEN n > 900 THEN n END,
    CASE WHEN n = 10 THEN 9 END, CASE WHEN n = 9 THEN '{"code": 131049}'::jsonb END
  FROM generate_series(1, 1000) n;
  INSERT INTO message_events (message_log_id, event, occurred_at, details)
    SELECT id, 'sent', now(), '{"messageId": "wamid.1"}' FROM message_logs;
  INSERT INTO ledger_entries (tenant_id, message_log_id, kind, amount, currency, created_at)
    SELECT tenant_id, id, 'charge', cost, currency, created_at FROM message_logs;
  INSERT INTO webhook_inbox (payload, received_at, next_try_at, digest)
    SELECT 'delivery ' || n, now() - n * interval '1 day', now(), sha256(('delivery ' || n)::bytea)
    FROM generate_series(1, 20) n`;

describe('The migration to partitions', () => {
  let database: TestDatabase;
  let source: DataSource;

  beforeEach(async () => {
    database = await createTestDatabase();
    source = await new DataSource(dataSourceOptions(database.url)).initialize();
    await migrate(source);
    const names = source.migrations.map(({ name }) => name);
    for (let left = names.length - names.indexOf(UniquenessTables1763820000120.name); left > 0; left -= 1)
      await source.undoLastMigration();
    await source.query(FILL);
  });
  afterEach(async () => {
    await source.destroy();
    await database.drop();
  });

  const query = (sql: string): Promise<Record<string, any>[]> => source.query(sql);

  /** All rows, whatever the order of their columns is. */
  const rows = async () =>
    Promise.all(
      ['message_logs', 'message_events', 'ledger_entries', 'webhook_inbox'].map((table) =>
        query(`SELECT to_jsonb(t) - '{${OTHERS}}'::text[] AS row FROM ${table} t ORDER BY t.id`),
      ),
    );
  const parts = async (table: string) =>
    (
      await query(
        `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = '${table}'::regclass ORDER BY 1`,
      )
    ).map(({ name }) => name as string);
  const MESSAGE = `
    INSERT INTO message_logs (tenant_id, messaging_account_id, template_id, phone, template_name, language, components,
      status, auto_retry_on_frequency_cap, conversation_category, cost, currency, created_at, retry_of)
    VALUES ('${TENANT}', 1, 1, '1', 'a', 'en', '[]', 'sent', false, 'UTILITY', 1, 'USD', now(), 9) RETURNING id`;

  it('keeps every row, goes on with the ids, and forbids what was forbidden', async () => {
    const before = await rows();
    const files = await query(`SELECT pg_relation_filenode('message_logs') AS node`);
    await migrate(source);
    expect(await rows()).toEqual(before);
    expect(await parts('message_logs')).toEqual(['message_logs_from_0', 'message_logs_from_10000000']);
    // In place: the first partition is the table that was there, in the same file.
    expect(await query(`SELECT pg_relation_filenode('message_logs_from_0') AS node`)).toEqual(files);
    await expect(query(MESSAGE)).rejects.toThrow('message_logs_retry_of_key');
    await expect(query('DELETE FROM ledger_entries')).rejects.toThrow('append-only');
    await expect(query(`INSERT INTO campaign_messages VALUES (5, 950, 1)`)).rejects.toThrow(
      'message_logs_campaign_key',
    );
    // Of the last ten days only.
    const [digests] = await query('SELECT count(*)::integer AS count FROM webhook_digests');
    expect(digests).toEqual({ count: 9 });
    const [added] = await query(MESSAGE.replace('now(), 9)', 'now(), NULL)'));
    expect(Number(added?.['id'])).toBeGreaterThan(1_000);
    expect(Number(added?.['id'])).toBeLessThan(1_010);
    const [valid] = await query(`SELECT count(*)::integer AS count FROM pg_index WHERE NOT indisvalid`);
    expect(valid).toEqual({ count: 0 });
  });

  it('can be undone, with what came since in other partitions, and done again', async () => {
    await migrate(source);
    await query(`SELECT setval('message_logs_id_seq', 10000000)`);
    await query(MESSAGE.replace('now(), 9)', 'now(), NULL)'));
    const full = await rows();
    await source.undoLastMigration();
    while ((await parts('message_logs')).length > 0) await source.undoLastMigration();
    expect(await rows()).toEqual(full);
    const [index] = await query(
      `SELECT count(*)::integer AS count FROM pg_class WHERE relname ~ '_from_[0-9]'`,
    );
    expect(index).toEqual({ count: 0 });
    await migrate(source);
    expect(await rows()).toEqual(full);
    expect(await parts('message_logs')).toEqual(['message_logs_from_0', 'message_logs_from_20000000']);
  });

  it('takes the end of the first partition from a condition that was added while the service ran', async () => {
    await query(`
      ALTER TABLE message_logs ADD CONSTRAINT message_logs_bound CHECK (id < 40000000) NOT VALID;
      ALTER TABLE message_logs VALIDATE CONSTRAINT message_logs_bound`);
    await migrate(source);
    for (const table of ['message_logs', 'message_events', 'ledger_entries'])
      expect(await parts(table)).toEqual([`${table}_from_0`, `${table}_from_40000000`]);
  });
});
