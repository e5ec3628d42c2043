import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import { migrate } from '../../src/database/migrate.js';
import { Outbox1763820000090 } from '../../src/database/migrations/1763820000090-outbox.js';
import { RECORD_SENT } from '../../src/delivery/outcomes.sql.js';
import { createTestDatabase, type TestDatabase } from '../support/infrastructure.js';
import { MISPLACED } from '../support/outbox.js';

const TENANT = '00000000-0000-0000-0000-000000000001';

/** A message as it stood in the log before there was an outbox. */
interface Before {
  template_name: string;
  status: string;
  conversation_category: string;
  due_at: string;
  scheduled_at: string | null;
  attempts: number;
  held_by: number | null;
  first_attempt_at: string | null;
  resolve_at: string | null;
  campaign_id: number | null;
  campaign_row: number | null;
}

const at = (hour: number) => `2026-01-02T${String(hour).padStart(2, '0')}:00:00Z`;

const message = (name: string, status: string, fields: Partial<Before> = {}): Before => ({
  template_name: name,
  status,
  conversation_category: 'UTILITY',
  due_at: fields.scheduled_at ?? at(1),
  scheduled_at: null,
  attempts: 0,
  held_by: null,
  first_attempt_at: null,
  resolve_at: null,
  campaign_id: null,
  campaign_row: null,
  ...fields,
});

const WAITING = [
  message('untried', 'queued'),
  message('to be tried again', 'queued', { due_at: at(9), attempts: 2, first_attempt_at: at(2) }),
  message('scheduled', 'scheduled', { scheduled_at: at(12) }),
  message('scheduled, and to be tried again', 'queued', {
    scheduled_at: at(5),
    due_at: at(9),
    attempts: 1,
    first_attempt_at: at(5),
  }),
  message('held', 'queued', { held_by: 7, attempts: 1, first_attempt_at: at(3) }),
  message('held ahead of its time', 'scheduled', { held_by: 7, scheduled_at: at(12) }),
  message('a code', 'queued', { conversation_category: 'AUTHENTICATION' }),
  message('of a campaign', 'queued', { campaign_id: 1, campaign_row: 2 }),
  message('the retry of one of a campaign', 'scheduled', { campaign_id: 1, scheduled_at: at(12) }),
];
const UNDER_WAY = [
  message('under way', 'sending', { attempts: 1, first_attempt_at: at(2), resolve_at: at(4) }),
  message('under way again', 'sending', {
    scheduled_at: at(1),
    due_at: at(3),
    attempts: 3,
    first_attempt_at: at(2),
    resolve_at: at(4),
    campaign_id: 1,
    campaign_row: 3,
  }),
];
const ENDED = [
  message('sent', 'sent', { attempts: 1, first_attempt_at: at(1) }),
  message('delivered', 'delivered', { attempts: 2, due_at: at(2), first_attempt_at: at(1) }),
  message('read', 'read', { attempts: 1, scheduled_at: at(2), campaign_id: 1, campaign_row: 4 }),
  message('failed', 'failed', { attempts: 4, first_attempt_at: at(1) }),
  message('canceled', 'canceled', { scheduled_at: at(12) }),
];
const ALL = [...WAITING, ...UNDER_WAY, ...ENDED];

const FIELDS = Object.keys(ALL[0] as Before);

const INSERT = `
  INSERT INTO message_logs (tenant_id, messaging_account_id, template_id, phone, language, components,
    auto_retry_on_frequency_cap, cost, currency, created_at, ${FIELDS})
  SELECT '${TENANT}', 3, 5, '12025550100', 'en_US', '[]', false, 1, 'USD', '${at(0)}', ${FIELDS.map((field) => `m.${field}`)}
  FROM json_populate_recordset(NULL::message_logs, $1) m`;

const LOG = `SELECT to_jsonb(m) AS message FROM message_logs m ORDER BY id`;

const SCHEMA = `
  SELECT 'column' AS kind, column_name AS name,
    concat_ws(' ', data_type, is_nullable, column_default, generation_expression) AS definition
  FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = 'message_logs'
  UNION ALL
  SELECT 'index', indexname, indexdef FROM pg_indexes WHERE tablename = 'message_logs'
  UNION ALL
  SELECT 'constraint', conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = 'message_logs'::regclass
  UNION ALL
  SELECT 'metadata', name, value FROM typeorm_metadata WHERE "table" = 'message_logs'
  UNION ALL
  SELECT 'table', relname, array_to_string(reloptions, ' ') FROM pg_class WHERE relname IN ('message_logs', 'outbox')
  ORDER BY 1, 2, 3`;

describe('The migration to the outbox', () => {
  let database: TestDatabase;
  let source: DataSource;
  const before: { schema?: unknown; log: Record<string, any>[] } = { log: [] };

  const query = (sql: string, values: unknown[] = []): Promise<Record<string, any>[]> =>
    source.query(sql, values);
  const logged = async () => (await query(LOG)).map((row) => row['message'] as Record<string, any>);

  async function undo(): Promise<void> {
    const names = source.migrations.map(({ name }) => name);
    for (let left = names.length - names.indexOf(Outbox1763820000090.name); left > 0; left -= 1)
      await source.undoLastMigration();
  }

  beforeAll(async () => {
    database = await createTestDatabase();
    source = await new DataSource(dataSourceOptions(database.url)).initialize();
    await migrate(source);
    await undo();
    await query(INSERT, [JSON.stringify(ALL)]);
    before.schema = await query(SCHEMA);
    before.log = await logged();
    await migrate(source);
  });
  afterAll(async () => {
    await source.destroy();
    await database.drop();
  });

  it.each(WAITING)('gives "$template_name" its entry, as it waited', async (waiting) => {
    expect(await entryOf(waiting)).toEqual(entryFrom(waiting, null));
  });

  it.each(UNDER_WAY)('gives "$template_name" its entry, as it was claimed', async (underWay) => {
    expect(await entryOf(underWay)).toEqual(entryFrom(underWay, underWay.resolve_at));
    expect(await statusOf(underWay)).toBe('queued');
  });

  it('gives no entry to other messages, and leaves these as they were', async () => {
    expect(await query(MISPLACED)).toEqual([]);
    expect(await query('SELECT count(*)::integer AS count FROM outbox')).toEqual([
      { count: WAITING.length + UNDER_WAY.length },
    ]);
    for (const { template_name, status } of [...WAITING, ...ENDED])
      expect({ template_name, status: await statusOf({ template_name }) }).toEqual({ template_name, status });
  });

  it('lets a late answer to an earlier try change nothing but the events', async () => {
    const runner = source.createQueryRunner();
    await runner.startTransaction();
    const [{ id }] = await runner.query(
      `SELECT id FROM message_logs WHERE template_name = 'scheduled, and to be tried again'`,
    );
    await runner.query('UPDATE outbox SET attempts = 2, resolve_at = now() WHERE message_log_id = $1', [id]);
    const late = [{ ordinal: 0, id, attempt: 1, provider_message_id: 'wamid.1', details: {} }];
    const [answer] = await runner.query(RECORD_SENT.text, [new Date(), JSON.stringify(late)]);
    const [row] = await runner.query(
      `SELECT status, sent_at, provider_message_id AS sent_as,
         (SELECT array_agg(event) FROM message_events WHERE message_log_id = m.id) AS events
       FROM message_logs m WHERE id = $1`,
      [id],
    );
    await runner.rollbackTransaction();
    await runner.release();
    expect(answer).toMatchObject({ applied: false });
    expect(row).toEqual({ status: 'queued', sent_at: null, sent_as: null, events: ['late_answer'] });
  });

  it('can be undone without losing or changing a waiting message', async () => {
    await undo();
    expect(await query(SCHEMA)).toEqual(before.schema);
    const isOpen = ({ status }: Record<string, any>) => ['scheduled', 'queued', 'sending'].includes(status);
    const after = await logged();
    expect(after.filter(isOpen)).toEqual(before.log.filter(isOpen));
    // Of what has ended, nobody asks when it was due last or tried first.
    const rest = ({ due_at: _due, first_attempt_at: _first, ...others }: Record<string, any>) => others;
    expect(after.map(rest)).toEqual(before.log.map(rest));
  });

  async function entryOf({ template_name }: Before) {
    const [row] = await query(
      `SELECT o.* FROM outbox o JOIN message_logs m ON m.id = o.message_log_id WHERE m.template_name = $1`,
      [template_name],
    );
    return row;
  }

  async function statusOf({ template_name }: Pick<Before, 'template_name'>) {
    const [row] = await query('SELECT status FROM message_logs WHERE template_name = $1', [template_name]);
    return row?.['status'];
  }
});

const date = (time: string | null) => time && new Date(time);

const entryFrom = (fields: Before, resolveAt: string | null) => ({
  message_log_id: expect.anything(),
  tenant_id: TENANT,
  messaging_account_id: 3,
  template_id: 5,
  category: fields.conversation_category,
  campaign_id: fields.campaign_id,
  campaign_row: fields.campaign_row,
  created_at: date(at(0)),
  due_at: date(fields.due_at),
  held_by: fields.held_by,
  attempts: fields.attempts,
  first_attempt_at: date(fields.first_attempt_at),
  resolve_at: date(resolveAt),
  valid_until: null,
});
