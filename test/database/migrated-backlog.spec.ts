import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import { SecretBox } from '../../src/accounts/secret-box.js';
import { startService, type RunningService } from '../../src/app/start-service.js';
import { AppLogger } from '../../src/common/logger.js';
import { migrate } from '../../src/database/migrate.js';
import { Outbox1763820000090 } from '../../src/database/migrations/1763820000090-outbox.js';
import { readTag } from '../../src/messages/domain/message-tag.js';
import { HoldsService } from '../../src/outbox/holds/holds.service.js';
import type { WireSendRequest, WireTemplate } from '../../src/provider/wire.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase, testRedisUrl } from '../support/infrastructure.js';
import { UNBALANCED } from '../support/ledger.js';
import { MISPLACED } from '../support/outbox.js';
import { closeAll, json, provider } from '../support/provider-stubs.js';
import { TestClock, testConfig } from '../support/service.js';

const MESSAGES = 100_000;

/** Those of each kind that the worker sends. */
const SENDABLE = 100;

const TENANT = '00000000-0000-0000-0000-000000000001';
const FREE_ACCOUNT = '00000000-0000-0000-0000-000000000002';
const HELD_ACCOUNT = '00000000-0000-0000-0000-000000000003';

/** Ids of numbers and templates. */
const FREE = 1;
const NUMBER_ON_HOLD = 2;
const OF_HELD_ACCOUNT = 3;
const TEMPLATE_ON_HOLD = 2;
const TEMPLATE_ONCE_ON_HOLD = 3;
const OPEN_HOLD = 2;
const ENDED_HOLD = 1;

type End = 'sent' | 'sent when its hold ends' | 'as it was';

/** Messages that are alike; times in minutes from now. */
interface Kind {
  template_name: string;
  end: End;
  count: number;
  status: string;
  conversation_category: string;
  messaging_account_id: number;
  template_id: number;
  due: number;
  scheduled: number | null;
  attempts: number;
  first_attempt: number | null;
  resolve: number | null;
  held_by: number | null;
  campaign_id: number | null;
}

const kind = (template_name: string, end: End, fields: Partial<Kind> = {}): Kind => ({
  template_name,
  end,
  count: SENDABLE,
  status: 'queued',
  conversation_category: 'UTILITY',
  messaging_account_id: FREE,
  template_id: FREE,
  due: fields.scheduled ?? -1,
  scheduled: null,
  attempts: 0,
  first_attempt: null,
  resolve: null,
  held_by: null,
  campaign_id: null,
  ...fields,
});

const FEW_KINDS = [
  kind('an offer that is due', 'sent', { conversation_category: 'MARKETING' }),
  kind('a notice that is due', 'sent'),
  kind('a code that is due', 'sent', { conversation_category: 'AUTHENTICATION' }),
  kind('one of a campaign', 'sent', { campaign_id: 1 }),
  kind('scheduled, and due', 'sent', { status: 'scheduled', scheduled: -2 }),
  kind('due to be tried again', 'sent', { attempts: 2, first_attempt: -5 }),
  kind('under way, and its worker died', 'sent', {
    status: 'sending',
    attempts: 1,
    first_attempt: -20,
    resolve: -10,
  }),
  kind('kept by a hold on its template that has ended', 'sent', {
    template_id: TEMPLATE_ONCE_ON_HOLD,
    held_by: ENDED_HOLD,
    attempts: 1,
    first_attempt: -30,
  }),
  kind('kept by a hold on its template', 'sent when its hold ends', {
    template_id: TEMPLATE_ON_HOLD,
    held_by: OPEN_HOLD,
  }),
  kind('of a template on hold, and not tried yet', 'sent when its hold ends', {
    template_id: TEMPLATE_ON_HOLD,
  }),
  kind('of a number on hold', 'sent when its hold ends', {
    messaging_account_id: NUMBER_ON_HOLD,
    attempts: 1,
    first_attempt: -30,
  }),
  kind('of an account on hold', 'sent when its hold ends', { messaging_account_id: OF_HELD_ACCOUNT }),
  kind('under way', 'as it was', { status: 'sending', attempts: 1, first_attempt: -1, resolve: 60 }),
];
const TRIED = kind('to be tried again in an hour', 'as it was', {
  count: 5_000,
  due: 60,
  attempts: 3,
  first_attempt: -50,
});
const KINDS = [
  ...FEW_KINDS,
  TRIED,
  kind('scheduled for tomorrow', 'as it was', {
    count: MESSAGES - FEW_KINDS.length * SENDABLE - TRIED.count,
    status: 'scheduled',
    scheduled: 1_500,
  }),
];

const ended = (['sent', 'delivered', 'read', 'failed', 'canceled'] as const).map((status) =>
  kind(status, 'as it was', { status, attempts: 1, first_attempt: -90 }),
);

const OWNER = `INSERT INTO tenants (id, name) VALUES ('${TENANT}', 'Test')`;

/** $1: a sealed secret. */
const ACCOUNTS = `
  INSERT INTO business_accounts (id, tenant_id, waba_id, access_token, app_secret)
    SELECT id, '${TENANT}', right(id::text, 3), $1, $1
    FROM unnest('{${FREE_ACCOUNT},${HELD_ACCOUNT}}'::uuid[]) id`;

const NUMBERS = `
  INSERT INTO messaging_accounts (api_id, tenant_id, business_account_id, phone_number_id, phone, name, messages_per_second)
  SELECT 'acc_' || n, '${TENANT}', CASE n WHEN ${OF_HELD_ACCOUNT} THEN '${HELD_ACCOUNT}'::uuid ELSE '${FREE_ACCOUNT}' END,
    '90' || n, '1415555010' || n, 'Test', 1000
  FROM generate_series(1, 3) n`;

const TEMPLATES = `
  INSERT INTO templates (tenant_id, business_account_id, provider_template_id, name, language, category, status,
    provider_status, body_json, status_changed_at)
  SELECT '${TENANT}', '${FREE_ACCOUNT}', n, 'template_' || n, 'en_US', 'UTILITY', 'APPROVED', 'APPROVED', '[]',
    now() - interval '1 day'
  FROM generate_series(1, 3) n`;

const HOLDS = `
  INSERT INTO holds (tenant_id, scope, target_id, cause, error, created_at, next_probe_at, lifted_at)
  SELECT '${TENANT}', h.scope, h.target, 'template', '{"code": 1, "title": "Why", "details": null}',
    now() - interval '1 hour', now() + interval '1 day', h.lifted_at
  FROM (VALUES
    (1, 'template', '${TEMPLATE_ONCE_ON_HOLD}', now() - interval '1 minute'),
    (2, 'template', '${TEMPLATE_ON_HOLD}', NULL),
    (3, 'number', '${NUMBER_ON_HOLD}', NULL),
    (4, 'business_account', '${HELD_ACCOUNT}', NULL)
  ) h (id, scope, target, lifted_at) ORDER BY h.id`;

/** $1: kinds. */
const FILL = `
  WITH message AS (
    INSERT INTO message_logs (tenant_id, messaging_account_id, template_id, phone, template_name, language, components,
      status, due_at, scheduled_at, auto_retry_on_frequency_cap, conversation_category, cost, currency, attempts,
      first_attempt_at, resolve_at, held_by, campaign_id, campaign_row, created_at)
    SELECT '${TENANT}', k.messaging_account_id, k.template_id, '1202' || lpad((1000 * k.ordinal + n)::text, 7, '5'),
      k.template_name, 'en_US', '[]', k.status, now() + k.due * interval '1 minute',
      now() + k.scheduled * interval '1 minute', false, k.conversation_category, 0.01, 'USD', k.attempts,
      now() + k.first_attempt * interval '1 minute', now() + k.resolve * interval '1 minute', k.held_by, k.campaign_id,
      CASE WHEN k.campaign_id IS NOT NULL THEN 1 + n END,
      now() - CASE WHEN k.conversation_category = 'AUTHENTICATION' THEN 0 ELSE 1 END * interval '1 hour'
    FROM json_to_recordset($1) AS k(ordinal integer, template_name text, count integer, status text,
        conversation_category text, messaging_account_id integer, template_id integer, due float8, scheduled float8,
        attempts integer, first_attempt float8, resolve float8, held_by integer, campaign_id integer),
      generate_series(1, k.count) n
    RETURNING *
  ), charged AS (
    INSERT INTO ledger_entries (tenant_id, message_log_id, kind, amount, currency, created_at)
    SELECT tenant_id, id, 'charge', cost, currency, created_at FROM message
  )
  INSERT INTO ledger_entries (tenant_id, message_log_id, kind, amount, currency, created_at)
  SELECT tenant_id, id, 'refund', cost, currency, created_at FROM message WHERE status IN ('failed', 'canceled')`;

const LISTED: WireTemplate[] = [1, 2, 3].map((id) => ({
  id: String(id),
  name: `template_${id}`,
  language: 'en_US',
  category: 'UTILITY',
  status: 'APPROVED',
  parameter_format: 'POSITIONAL',
  components: [],
}));

const REFUNDS = `
  SELECT m.status, count(*)::integer AS count FROM ledger_entries l JOIN message_logs m ON m.id = l.message_log_id
  WHERE l.kind = 'refund' GROUP BY 1 ORDER BY 1`;

describe(`An installation without an outbox, with ${MESSAGES} messages that wait`, () => {
  let database: TestDatabase;
  let source: DataSource;
  let running: RunningService;
  /** How often the provider has taken each message, by its id. */
  const taken = new Map<number, number>();

  const query = (sql: string, values: unknown[] = []): Promise<Record<string, any>[]> =>
    source.query(sql, values);

  const idsOf = async (end: End): Promise<number[]> => {
    const names = KINDS.filter((each) => each.end === end).map((each) => each.template_name);
    const rows = await query('SELECT id FROM message_logs WHERE template_name = ANY($1) ORDER BY id', [
      names,
    ]);
    return rows.map(({ id }) => Number(id));
  };

  const take = (request: WireSendRequest): string => {
    const id = readTag(request.biz_opaque_callback_data)?.messageLogId as number;
    taken.set(id, 1 + (taken.get(id) ?? 0));
    return `wamid.${id}.${taken.get(id)}`;
  };

  /** A worker on the migrated database, with a provider that takes everything. */
  async function start(): Promise<RunningService> {
    const { url } = await provider(({ url: path, body }, response) => {
      if (!path.endsWith('/messages')) return json(response, 200, { data: LISTED });
      const request = JSON.parse(body.toString()) as WireSendRequest;
      json(response, 200, {
        contacts: [{ input: request.to, wa_id: request.to }],
        messages: [{ id: take(request) }],
      });
    });
    const config = testConfig({
      DATABASE_URL: database.serviceUrl,
      REDIS_URL: await testRedisUrl(),
      PROVIDER_BASE_URL: url,
      UNKNOWN_OUTCOME_WINDOW: 1,
    });
    const logger = new AppLogger(config.LOG_LEVEL, false);
    return startService(config, { clock: new TestClock(), logger });
  }

  const settled = async (ids: number[]) => {
    const rows = await query(
      `SELECT m.id, m.status FROM message_logs m LEFT JOIN outbox o ON o.message_log_id = m.id
       WHERE m.id = ANY($1) AND (m.status <> 'sent' OR o.message_log_id IS NOT NULL)`,
      [ids],
    );
    expect(rows).toEqual([]);
  };

  beforeAll(async () => {
    database = await createTestDatabase();
    // Without the service's limits: what is asked here is of all messages.
    const options = { ...dataSourceOptions(database.url), extra: {} };
    const all = options.migrations as (new () => object)[];
    const before = all.slice(0, all.indexOf(Outbox1763820000090));
    const old = await new DataSource({ ...options, migrations: before } as DataSourceOptions).initialize();
    await migrate(old);
    await old.query(OWNER);
    await old.query(ACCOUNTS, [new SecretBox(testConfig({})).seal('a secret')]);
    for (const sql of [NUMBERS, TEMPLATES, HOLDS]) await old.query(sql);
    const rows = [...KINDS, ...ended].map((each, ordinal) => ({ ...each, ordinal }));
    await old.query(FILL, [JSON.stringify(rows)]);
    await old.query('ANALYZE');
    await old.destroy();
    source = await new DataSource(options).initialize();
    const begun = performance.now();
    await migrate(source);
    const took = ((performance.now() - begun) / 1000).toFixed(1);
    process.stdout.write(`The migration of ${MESSAGES} waiting messages took ${took} s\n`);
  });
  afterAll(async () => {
    await running?.stop();
    await closeAll();
    await source?.destroy();
    await database.drop();
  });

  it('has an entry for each, and for nothing else', async () => {
    expect(await query(MISPLACED)).toEqual([]);
    const rows = await query(
      `SELECT m.template_name, count(*)::integer AS count, count(o.resolve_at)::integer AS claimed, min(o.attempts) AS attempts,
         min(o.held_by) AS held_by, round(extract(epoch FROM min(o.due_at) - now()) / 60)::integer AS due
       FROM outbox o JOIN message_logs m ON m.id = o.message_log_id GROUP BY 1`,
    );
    const expected = KINDS.map(({ template_name, count, resolve, attempts, held_by }) => ({
      template_name,
      count,
      claimed: resolve === null ? 0 : count,
      attempts,
      held_by,
      due: expect.any(Number),
    }));
    expect(rows).toHaveLength(expected.length);
    expect(rows).toEqual(expect.arrayContaining(expected));
    for (const { template_name, due } of KINDS)
      expect(
        Math.abs(rows.find((row) => row['template_name'] === template_name)?.['due'] - due),
      ).toBeLessThan(5);
  });

  it('sends what is due once each, and lets the rest wait', async () => {
    running = await start();
    const due = await idsOf('sent');
    await eventually(() => settled(due), { patience: 60_000 });
    expect([...taken.keys()].toSorted((a, b) => a - b)).toEqual(due);
    expect([...taken.values()].filter((times) => times !== 1)).toEqual([]);
  });

  it('sends what was held when the holds end', async () => {
    const holds = running.app.get(HoldsService, { strict: false });
    const open = await query('SELECT id FROM holds WHERE lifted_at IS NULL');
    for (const { id } of open) await holds.lift(id, 'test');
    const due = [...(await idsOf('sent')), ...(await idsOf('sent when its hold ends'))];
    await eventually(() => settled(due), { patience: 60_000 });
    expect([...taken.keys()].toSorted((a, b) => a - b)).toEqual(due.toSorted((a, b) => a - b));
    expect([...taken.values()].filter((times) => times !== 1)).toEqual([]);
  });

  it('has lost and refunded none', async () => {
    const waiting = KINDS.filter(({ end }) => end === 'as it was').reduce((sum, { count }) => sum + count, 0);
    expect(await query('SELECT count(*)::integer AS count FROM outbox')).toEqual([{ count: waiting }]);
    expect(await query(MISPLACED)).toEqual([]);
    expect(await query(UNBALANCED)).toEqual([]);
    expect(await query(REFUNDS)).toEqual([
      { status: 'canceled', count: SENDABLE },
      { status: 'failed', count: SENDABLE },
    ]);
  });
});
