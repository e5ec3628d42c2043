import { describe, expect, it } from '@jest/globals';
import {
  type BoundStatement,
  type MessageFilter,
  searchStatement,
  WINDOW,
  windowEndStatement,
} from '../../src/messages/lists/message-list.sql.js';
import { APPLY_RECEIPTS } from '../../src/messages/receipts/receipts.sql.js';
import { fillOutbox } from '../support/outbox.js';
import { explain, type PlanNode, rowsReadBy, useFilledDatabase } from '../support/query-plans.js';

const TENANT = '00000000-0000-0000-0000-000000000001';

/** Several windows of messages: most are delivered, some failed, many are retries. Some wait, of other tenants too. */
const FILL = `
  INSERT INTO tenants (id, name) VALUES ('${TENANT}', 'Test');
  INSERT INTO business_accounts (id, tenant_id, waba_id, access_token, app_secret)
    SELECT id, id, '1', '', '' FROM tenants;
  INSERT INTO messaging_accounts (api_id, tenant_id, business_account_id, phone_number_id, phone, name)
    SELECT 'acc_1', id, id, '1', '1', 'Test' FROM tenants;
  INSERT INTO message_logs (tenant_id, messaging_account_id, template_id, phone, template_name, language, components,
      status, auto_retry_on_frequency_cap, conversation_category, cost, currency, created_at, sent_at, delivered_at,
      failed_at, provider_message_id, retry_of, retry_count)
    SELECT '${TENANT}', 1, 1, '1202' || lpad((n % 40000)::text, 7, '5'), 'template_' || n % 7, 'en_US', '[]', s,
      false, 'UTILITY', 1, 'USD', at, at, CASE WHEN s = 'delivered' THEN at END, CASE WHEN s = 'failed' THEN at END,
      'wamid.' || n, CASE WHEN n % 5 = 3 THEN n - 1 END, CASE WHEN n % 5 = 3 THEN 1 ELSE 0 END
    FROM (SELECT n, date_trunc('milliseconds', now()) - n * interval '1 second' AS at,
      CASE WHEN n % 1000 = 1 THEN 'scheduled' WHEN n % 1000 = 2 THEN 'failed' ELSE 'delivered' END AS s
      FROM generate_series(1, ${8 * WINDOW}) n) x;
  INSERT INTO message_logs (tenant_id, messaging_account_id, template_id, phone, template_name, language, components,
      status, scheduled_at, auto_retry_on_frequency_cap, conversation_category, cost, currency, created_at)
    SELECT gen_random_uuid(), 2, 2, '12025550100', 'others', 'en_US', '[]', 'scheduled', now() + interval '1 day', false,
      'UTILITY', 1, 'USD', now() - n * interval '1 second'
    FROM generate_series(1, ${2 * WINDOW}) n;
  ${fillOutbox()}
  ANALYZE message_logs_from_0, message_retries, outbox;
`;

const runner = useFilledDatabase(FILL);

const request = (filter: MessageFilter) => ({
  tenantId: TENANT,
  filter,
  limit: 51,
  after: null,
  now: new Date(),
});

async function run({ statement, values }: BoundStatement): Promise<PlanNode[]> {
  return explain(runner(), `EXPLAIN (ANALYZE, FORMAT JSON) ${statement.text}`, values);
}

const TABLES = new Set(['message_logs', 'outbox']);
const scansOf = (nodes: PlanNode[]) => nodes.filter((node) => TABLES.has(node['Relation Name'] ?? ''));

describe('A list for the sent page', () => {
  it.each<[string, MessageFilter, string]>([
    ['all messages', {}, 'message_logs_tenant_idx'],
    ['a common status', { status: ['delivered'] }, 'message_logs_tenant_idx'],
    ['a template without messages', { template: 'none' }, 'message_logs_tenant_idx'],
    ['a number without messages', { messagingAccountId: 2 }, 'message_logs_tenant_idx'],
    ['a time', { createdFrom: new Date(0), template: 'none' }, 'message_logs_tenant_idx'],
    ['a phone', { phone: '12020000001', status: ['read'] }, 'message_logs_phone_idx'],
    ['what waits', { status: ['scheduled', 'queued'] }, 'outbox_list_idx'],
    ['what failed', { status: ['failed', 'canceled'] }, 'message_logs_list_undelivered_idx'],
    ['what was canceled', { status: ['canceled'] }, 'message_logs_list_undelivered_idx'],
    ['retries', { retry: 'retries' }, 'message_logs_list_retries_idx'],
    ['what has a retry', { retry: 'with_retry' }, 'message_logs_list_undelivered_idx'],
  ])('of %s reads one index, at most a window of it', async (_what, filter, index) => {
    for (const statement of [searchStatement, windowEndStatement]) {
      const nodes = await run(statement(request(filter)));
      const scans = scansOf(nodes);
      expect(nodes.map((node) => node['Index Name'])).toContain(index);
      expect(scans.map((node) => node['Node Type'])).not.toContain('Seq Scan');
      // One more tells a sort of what was accepted at the same moment that there is no more of it.
      for (const scan of scans) expect(rowsReadBy(scan)).toBeLessThanOrEqual(WINDOW + 1);
    }
  });

  it('reads no more of a window than it needs', async () => {
    const scans = scansOf(
      await run(searchStatement(request({ status: ['delivered'], template: 'template_3' }))),
    );
    expect(rowsReadBy(scans[0] as PlanNode)).toBeLessThan(1_000);
  });
});

it('The update of a receipt stays HOT: it writes none of the indexes', async () => {
  await runner().startTransaction();
  // Rows on different pages, so that each page has room for the new version.
  const receipts = await runner().query(`
    SELECT row_number() OVER () AS ordinal, '${TENANT}' AS business_account_id, id AS message_log_id,
      provider_message_id, 'read' AS status, now() AS occurred_at, NULL AS error, '{"source": "receipt"}'::jsonb AS details
    FROM message_logs WHERE status = 'delivered' AND id % 500 = 7`);
  const [before] = await runner().query(UPDATES);
  const changes = await runner().query(APPLY_RECEIPTS.text, [new Date(), JSON.stringify(receipts)]);
  const [after] = await runner().query(UPDATES);
  await runner().rollbackTransaction();
  expect(changes.every((change: { new_status: string }) => change.new_status === 'read')).toBe(true);
  expect(after.updated - before.updated).toBe(receipts.length);
  expect(after.hot - before.hot).toBe(receipts.length);
});

const UPDATES = `
  SELECT sum(pg_stat_get_xact_tuples_updated(relid))::integer AS updated,
    sum(pg_stat_get_xact_tuples_hot_updated(relid))::integer AS hot FROM pg_partition_tree('message_logs') WHERE isleaf`;
