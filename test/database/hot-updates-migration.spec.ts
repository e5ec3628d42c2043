import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import { migrate } from '../../src/database/migrate.js';
import { HotUpdates1763820000110 } from '../../src/database/migrations/1763820000110-hot-updates.js';
import { createTestDatabase, type TestDatabase } from '../support/infrastructure.js';

const TENANT = '00000000-0000-0000-0000-000000000001';
const PRICING = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' };
const ANSWER = { source: 'answer', attempt: 1, messageId: 'wamid.1', messageStatus: 'accepted' };
const RECEIPT = { source: 'receipt', provider_message_id: 'wamid.1', recipient_id: '1', pricing: PRICING };

/** $1: hours ago at which it was accepted; $2: sent. */
const ADD_MESSAGE = `
  INSERT INTO message_logs (tenant_id, messaging_account_id, template_id, phone, template_name, language, components,
    status, auto_retry_on_frequency_cap, conversation_category, cost, currency, provider_message_id, created_at, sent_at)
  VALUES ('${TENANT}', 1, 1, '1', 'a', 'en', '[]', 'sent', false, 'UTILITY', 1, 'USD', 'wamid.1',
    now() - $1 * interval '1 hour', now() - $2 * interval '1 hour')
  RETURNING id`;

const ADD_EVENT =
  'INSERT INTO message_events (message_log_id, event, occurred_at, details) VALUES ($1, $2, now(), $3)';

describe('The migration to updates that stay HOT', () => {
  let database: TestDatabase;
  let source: DataSource;

  const query = (sql: string, values: unknown[] = []): Promise<Record<string, any>[]> =>
    source.query(sql, values);

  async function undo(): Promise<void> {
    const names = source.migrations.map(({ name }) => name);
    for (let left = names.length - names.indexOf(HotUpdates1763820000110.name); left > 0; left -= 1)
      await source.undoLastMigration();
  }

  const detailsOf = async (id: number) =>
    (await query('SELECT details FROM message_events WHERE message_log_id = $1 ORDER BY id', [id])).map(
      ({ details }) => details,
    );

  beforeAll(async () => {
    database = await createTestDatabase();
    source = await new DataSource(dataSourceOptions(database.url)).initialize();
    await migrate(source);
  });
  afterAll(async () => {
    await source.destroy();
    await database.drop();
  });

  it('can be undone, with the details of events as they came', async () => {
    const [{ id }] = (await query(ADD_MESSAGE, [1, 1])) as [{ id: number }];
    await query(ADD_EVENT, [id, 'sent', { source: 'answer', attempt: 1, messageId: 'wamid.1' }]);
    await query(ADD_EVENT, [id, 'sent', { ...ANSWER, messageStatus: 'held_for_quality_assessment' }]);
    await query(ADD_EVENT, [
      id,
      'delivered',
      { source: 'receipt', recipient_id: '1', p: 'true PMP regular utility' },
    ]);
    await query(ADD_EVENT, [id, 'read', { ...RECEIPT, provider_message_id: 'wamid.2' }]);
    await query(ADD_EVENT, [id, 'retry', { source: 'answer', attempt: 1 }]);
    await undo();
    expect(await detailsOf(id)).toEqual([
      ANSWER,
      { ...ANSWER, messageStatus: 'held_for_quality_assessment' },
      RECEIPT,
      { ...RECEIPT, provider_message_id: 'wamid.2' },
      { source: 'answer', attempt: 1 },
    ]);
  });

  it('notes what was sent late within a day', async () => {
    for (const [accepted, sent] of [
      [30, 2],
      [3, 1.5],
      [2, 1.5],
      [40, 30],
    ])
      await query(ADD_MESSAGE, [accepted, sent]);
    await migrate(source);
    const rows = await query(
      `SELECT round(extract(epoch FROM now() - m.created_at) / 3600)::integer AS accepted
       FROM late_sends l JOIN message_logs m ON m.id = l.message_log_id
       WHERE (l.tenant_id, l.sent_at) = (m.tenant_id, m.sent_at) ORDER BY 1`,
    );
    expect(rows).toEqual([{ accepted: 3 }, { accepted: 30 }]);
  });
});
