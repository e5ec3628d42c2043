import { afterEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import { migrate } from '../../src/database/migrate.js';
import { createTestDatabase, type TestDatabase } from '../support/infrastructure.js';

describe('The schema', () => {
  const opened: { source: DataSource; database: TestDatabase }[] = [];

  async function emptyDatabase() {
    const database = await createTestDatabase();
    const source = await new DataSource(dataSourceOptions(database.url)).initialize();
    opened.push({ source, database });
    return { source, url: database.url };
  }

  afterEach(async () => {
    for (const { source, database } of opened.splice(0)) {
      await source.destroy();
      await database.drop();
    }
  });

  it('is what the entities describe, so that no migration is missing', async () => {
    const { source } = await emptyDatabase();
    await migrate(source);
    const pending = await source.driver.createSchemaBuilder().log();
    expect(pending.upQueries.map((query) => query.query)).toEqual([]);
  });

  it('is migrated once when ten processes start at the same time', async () => {
    const { source, url } = await emptyDatabase();
    const sources = await Promise.all(
      Array.from({ length: 9 }, () => new DataSource(dataSourceOptions(url)).initialize()),
    );
    const runs = await Promise.all([source, ...sources].map((each) => migrate(each)));
    await Promise.all(sources.map((each) => each.destroy()));
    const migrations = source.migrations.map((migration) => migration.name);
    expect(runs.flat()).toEqual(migrations);
  });

  it('keeps the rows of a filled database when it is migrated again', async () => {
    const { source } = await emptyDatabase();
    await migrate(source);
    await source.query(`INSERT INTO tenants (name) VALUES ('kept')`);
    expect(await migrate(source)).toEqual([]);
    expect(await source.query('SELECT name FROM tenants')).toEqual([{ name: 'kept' }]);
  });

  it('can be reverted and migrated again', async () => {
    const { source } = await emptyDatabase();
    await migrate(source);
    for (const _ of source.migrations) await source.undoLastMigration();
    expect(await migrate(source)).toHaveLength(source.migrations.length);
  });

  it('refuses changes in the ledger, and a second retry of a message', async () => {
    const { source } = await emptyDatabase();
    await migrate(source);
    await source.query(`
      INSERT INTO ledger_entries (tenant_id, message_log_id, kind, amount, currency, created_at)
      VALUES (gen_random_uuid(), 1, 'charge', 1, 'USD', now())`);
    await expect(source.query('UPDATE ledger_entries SET amount = 2')).rejects.toThrow('append-only');
    await expect(source.query('DELETE FROM ledger_entries')).rejects.toThrow('append-only');
    const retry = `
      INSERT INTO message_logs (tenant_id, messaging_account_id, template_id, phone, template_name, language,
        components, status, auto_retry_on_frequency_cap, retry_of, conversation_category, cost, currency, created_at)
      VALUES (gen_random_uuid(), 1, 1, '1', 'a', 'en', '[]', 'scheduled', false, 7, 'MARKETING', 1, 'USD', now())`;
    await source.query(retry);
    await expect(source.query(retry)).rejects.toThrow('message_logs_retry_of_key');
  });
});
