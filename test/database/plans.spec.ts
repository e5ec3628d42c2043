import { describe, expect, it } from '@jest/globals';
import type { Statement } from '../../src/database/database.js';
import { NUMBERS } from '../../src/dashboard/numbers/numbers-queries.js';
import { RECENT } from '../../src/dashboard/overview/overview-figures.sql.js';
import * as sql from '../../src/messages/message-log.sql.js';
import { RECOUNT } from '../../src/messages/message-stats.sql.js';
import { AMONG, DUE_BY } from '../../src/scheduling/due-numbers.js';
import { EXPIRE_INBOX, EXPIRE_MESSAGES } from '../../src/scheduling/expiry.js';
import { DONE, TAKE } from '../../src/webhooks/inbox.processor.js';
import { explain, type PlanNode, useFilledDatabase } from '../support/query-plans.js';

/** Two numbers of one account; most messages have ended, many are scheduled ahead, a few are due. */
const FILL = `
  INSERT INTO tenants (id, name) VALUES ('00000000-0000-0000-0000-000000000001', 'Test');
  INSERT INTO business_accounts (id, tenant_id, waba_id, access_token, app_secret)
    SELECT id, id, '1', '', '' FROM tenants;
  INSERT INTO messaging_accounts (api_id, tenant_id, business_account_id, phone_number_id, phone, name)
    SELECT 'acc_' || n, id, id, n::text, '1', 'Test' FROM tenants, generate_series(1, 2) n;
  INSERT INTO message_logs (tenant_id, messaging_account_id, template_id, phone, template_name, language, components,
      status, due_at, auto_retry_on_frequency_cap, conversation_category, cost, currency, created_at, sent_at)
    SELECT t.id, 1 + n % 2, 1, '12025550100', 'order_update', 'en_US', '[]',
      CASE WHEN n <= 50000 THEN 'read' WHEN n <= 70000 THEN 'scheduled' ELSE 'queued' END,
      CASE WHEN n <= 50000 THEN now() - interval '1 day' WHEN n <= 70000 THEN now() + n * interval '1 minute'
        ELSE now() END,
      false, 'UTILITY', 1, 'USD', now() - interval '2 years' + n * interval '10 minutes', now() - interval '1 year'
    FROM tenants t, generate_series(1, 70500) n;
  INSERT INTO message_events (message_log_id, event, occurred_at)
    SELECT id, 'sent', now() FROM message_logs;
  INSERT INTO webhook_inbox (payload, received_at, next_try_at, processed_at)
    SELECT '{}', at, at, at FROM (SELECT now() - n * interval '1 minute' AS at FROM generate_series(70000, 1, -1) n) a;
  ANALYZE;
`;

const BIG_TABLES = new Set(['message_logs', 'message_events', 'webhook_inbox']);

const runner = useFilledDatabase(FILL);

/** A value for each type of parameter. */
const VALUES: Record<string, string> = {
  'timestamp with time zone': 'now()',
  'integer[]': `'{1,2}'`,
  integer: '1',
  boolean: 'false',
  bigint: '50',
  json: `'[]'`,
  text: `'retry'`,
  'bigint[]': `'{}'`,
  'double precision': '1',
  uuid: `'00000000-0000-0000-0000-000000000001'`,
};

/** The plan of a prepared statement, as connections come to use it. */
async function plan({ text }: Statement, mode: string): Promise<PlanNode[]> {
  await runner().query(`SET plan_cache_mode = ${mode}`);
  await runner().query(`PREPARE statement AS ${text}`);
  try {
    const [{ types }] = await runner().query(
      `SELECT parameter_types::text[] AS types FROM pg_prepared_statements WHERE name = 'statement'`,
    );
    const values = (types as string[]).map((type) => VALUES[type] ?? `no value for ${type}`);
    return await explain(runner(), `EXPLAIN (FORMAT JSON) EXECUTE statement (${values.join(', ')})`);
  } finally {
    await runner().query('DEALLOCATE statement');
  }
}

describe.each(['force_custom_plan', 'force_generic_plan'])('With 70,000 messages and %s', (mode) => {
  it.each([
    ['accepting', sql.ACCEPT, []],
    ['claiming', sql.CLAIM, ['message_logs_waiting_idx']],
    ['releasing', sql.RELEASE, ['message_logs_pkey']],
    ['recording an answer', sql.RECORD_SENT, ['message_logs_pkey']],
    ['recording another try', sql.RECORD_RETRY, ['message_logs_pkey']],
    ['recording an unknown outcome', sql.RECORD_UNKNOWN, ['message_logs_pkey']],
    ['recording a failure', sql.RECORD_FAILED, ['message_logs_pkey']],
    ['deciding unknown outcomes', sql.RESOLVE_UNKNOWN, ['message_logs_resolve_idx']],
    ['releasing what was held', sql.RELEASE_HELD, ['message_logs_held_idx']],
    ['expiring codes', sql.EXPIRE, ['message_logs_codes_idx']],
    ['canceling', sql.CANCEL, ['message_logs_pkey']],
    ['applying receipts', sql.APPLY_RECEIPTS, ['message_logs_pkey']],
    ['taking from the inbox', TAKE, ['webhook_inbox_pending_idx']],
    ['marking as applied', DONE, ['webhook_inbox_pkey']],
    ['counting what is due', AMONG, ['message_logs_waiting_idx']],
    ['finding numbers that wait', DUE_BY, ['message_logs_waiting_idx']],
    ['counting what waits for the dashboard', NUMBERS, ['message_logs_waiting_idx']],
    ['counting the newest messages', RECENT, ['message_logs_tenant_idx']],
    ['expiring messages', EXPIRE_MESSAGES, ['message_logs_pkey']],
    ['expiring the inbox', EXPIRE_INBOX, ['webhook_inbox_pkey']],
  ])('%s reads an index and never a whole table', async (_what, statement, index) => {
    const nodes = await plan(statement, mode);
    const scans = nodes.filter((node) => BIG_TABLES.has(node['Relation Name'] ?? ''));
    expect(scans.map((node) => node['Node Type'])).not.toContain('Seq Scan');
    expect(nodes.map((node) => node['Index Name'])).toEqual(expect.arrayContaining(index));
  });
});

it.each(['force_custom_plan', 'force_generic_plan'])(
  'Receipts are found and folded by hash, never each compared with all others, with %s',
  async (mode) => {
    const nodes = await plan(sql.APPLY_RECEIPTS, mode);
    const loops = nodes.filter((node) => node['Node Type'] === 'Nested Loop');
    expect(loops.length).toBeGreaterThan(0); // into the tables, by their indexes
    expect(loops.map((node) => node.Plans?.[1]?.['Node Type'])).not.toContain('CTE Scan');
  },
);

it('Counting the messages of some hours, planned for them, reads no more than these', async () => {
  const nodes = await plan(RECOUNT, 'force_custom_plan');
  expect(nodes.map((node) => node['Index Name'])).toContain('message_logs_tenant_idx');
});

it('A claim reads its own index also when the statistics are of a time at which nothing waited', async () => {
  await runner().startTransaction();
  await runner().query(`UPDATE message_logs SET status = 'sent' WHERE waiting`);
  await runner().query('ANALYZE message_logs');
  const nodes = await plan(sql.CLAIM, 'force_generic_plan');
  await runner().rollbackTransaction();
  const indexes = nodes.map((node) => node['Index Name']).filter((name) => name?.startsWith('message_logs'));
  expect(new Set(indexes)).toEqual(new Set(['message_logs_waiting_idx', 'message_logs_pkey']));
});

it('A claim and the search for numbers read in the order of the index, with nothing to sort', async () => {
  for (const statement of [sql.CLAIM, AMONG, DUE_BY]) {
    const nodes = await plan(statement, 'force_generic_plan');
    expect(nodes.map((node) => node['Node Type'])).not.toContain('Sort');
  }
});
