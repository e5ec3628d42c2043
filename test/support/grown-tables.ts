import { fillOutbox } from './outbox.js';

/** The tenant that has nearly all rows, and a tenant without rows. */
export const TENANT = '00000000-0000-0000-0000-000000000001';
export const NEW_TENANT = '00000000-0000-0000-0000-000000000003';

/** A tenant that has many business accounts, and nothing else. */
const MANY_ACCOUNTS = '00000000-0000-0000-0000-000000000002';

/** Rows of each of the two large campaigns: one is half done, the other was checked and not started. */
export const CAMPAIGN_ROWS = 10_000;
const HALF_CAMPAIGN = 1;
const DRAFT = 2;

/** Rows of each of the many finished campaigns. */
const FINISHED_ROWS = 500;

const ACCOUNTS = `
  INSERT INTO tenants (id, name) SELECT ('00000000-0000-0000-0000-00000000000' || n)::uuid, 'Test ' || n
    FROM generate_series(1, 3) n;
  INSERT INTO business_accounts (id, tenant_id, waba_id, access_token, app_secret)
    SELECT id, id, right(id::text, 1), '', '' FROM tenants;
  INSERT INTO business_accounts (tenant_id, waba_id, access_token, app_secret, template_sync_due_at,
      template_sync_failures)
    SELECT '${MANY_ACCOUNTS}', n::text, '', '', now() + (n - 1000) * interval '1 second', CASE WHEN n % 20 = 0 THEN 3 ELSE 0 END
    FROM generate_series(10, 2000) n;
  INSERT INTO messaging_accounts (api_id, tenant_id, business_account_id, phone_number_id, phone, name)
    SELECT 'acc_' || n, '${TENANT}', '${TENANT}', n::text, '1', 'Test' FROM generate_series(1, 2) n;
  INSERT INTO templates (tenant_id, business_account_id, provider_template_id, name, language, category, status,
      provider_status, body_json)
    SELECT '${TENANT}', '${TENANT}', n::text, 'template_' || n, 'en_US', 'UTILITY', 'APPROVED', 'APPROVED', '[]'
    FROM generate_series(1, 50) n;
  INSERT INTO holds (tenant_id, scope, target_id, cause, error, created_at, next_probe_at, lifted_at)
    SELECT '${TENANT}', 'template', (n % 50)::text, 'quality', '{}', now(), now(), CASE WHEN n > 2 THEN now() END
    FROM generate_series(1, 500) n;
  INSERT INTO spend_limits (tenant_id, scope, target_id, period, currency, amount, period_start, changed_at)
    SELECT '${TENANT}', s, CASE s WHEN 'number' THEN '1' ELSE '${TENANT}' END, 'day', 'USD', 1000000, now(), now()
    FROM unnest(ARRAY['tenant', 'number', 'api_key']) s;
  INSERT INTO spend_limits (tenant_id, scope, target_id, period, currency, amount, period_start, changed_at)
    SELECT '${MANY_ACCOUNTS}', 'number', n::text, 'day', 'USD', 1000, now(), now() FROM generate_series(10, 500) n;`;

const campaigns = (finished: number) => `
  INSERT INTO campaigns (id, tenant_id, messaging_account_id, name, template_name, language, status, created_by,
      created_at, ended_at, verdict)
    SELECT n, '${TENANT}', 1, 'Test', 'template_1', 'en_US', CASE n WHEN ${HALF_CAMPAIGN} THEN 'running'
      WHEN ${DRAFT} THEN 'draft' ELSE 'finished' END, '', now(), CASE WHEN n > 2 THEN now() END, '{}'
    FROM generate_series(1, ${2 + finished}) n;
  INSERT INTO campaign_recipients (campaign_id, row_number, cells, fault, state)
    SELECT c, 1 + n, '[]', CASE WHEN c = ${DRAFT} AND n % 10 = 0 THEN '{}'::jsonb END,
      CASE WHEN c > 2 OR (c = ${HALF_CAMPAIGN} AND n <= ${CAMPAIGN_ROWS / 2}) THEN 'accepted' ELSE 'pending' END
    FROM generate_series(1, ${2 + finished}) c,
      generate_series(1, CASE WHEN c > 2 THEN ${FINISHED_ROWS} ELSE ${CAMPAIGN_ROWS} END) n;`;

/**
 * Messages, oldest first: most have ended, a fifth is scheduled for later, some are due, held, or under way. The first
 * ones are those of the half-done campaign and of the finished ones.
 */
const messages = (count: number, ofCampaigns: number) => `
  INSERT INTO message_logs (tenant_id, messaging_account_id, template_id, phone, template_name, language, components,
      status, scheduled_at, auto_retry_on_frequency_cap, conversation_category, cost, currency, created_at, attempts,
      provider_message_id, sent_at, delivered_at, failed_at, canceled_at, retry_of, retry_count, campaign_id,
      campaign_row)
    SELECT '${TENANT}', 1 + n % 2, 1 + n % 50, '1202' || lpad((n % 40000)::text, 7, '5'), 'template_' || 1 + n % 50,
      'en_US', '[]', s, CASE s WHEN 'scheduled' THEN now() + n * interval '1 minute' END, false,
      CASE WHEN n % 50 = 7 THEN 'AUTHENTICATION' WHEN n % 4 < 2 THEN 'MARKETING' ELSE 'UTILITY' END, 1, 'USD', at,
      CASE WHEN s IN ('scheduled', 'queued') THEN 0 ELSE 1 END,
      CASE WHEN s IN ('sent', 'delivered', 'read') THEN 'wamid.' || n END,
      CASE WHEN s IN ('sent', 'delivered', 'read') THEN at END, CASE WHEN s IN ('delivered', 'read') THEN at END,
      CASE WHEN s = 'failed' THEN at END, CASE WHEN s = 'canceled' THEN at END,
      CASE WHEN n % 100 = 6 THEN n - 1 END, CASE WHEN n % 100 = 6 THEN 1 ELSE 0 END,
      CASE WHEN n <= ${CAMPAIGN_ROWS / 2} THEN ${HALF_CAMPAIGN}
        WHEN n <= ${ofCampaigns} THEN 3 + (n - ${CAMPAIGN_ROWS / 2 + 1}) / ${FINISHED_ROWS} END,
      CASE WHEN n <= ${CAMPAIGN_ROWS / 2} THEN 1 + n
        WHEN n <= ${ofCampaigns} THEN 2 + (n - ${CAMPAIGN_ROWS / 2 + 1}) % ${FINISHED_ROWS} END
    FROM (
      SELECT n, now() - (${count} - n) * interval '2 years' / ${count} AS at,
        CASE WHEN part BETWEEN 0.7 AND 0.9 THEN 'scheduled' WHEN part BETWEEN 0.95 AND 0.962 THEN 'queued'
          WHEN n % 100 < 70 THEN 'read' WHEN n % 100 < 85 THEN 'delivered'
          WHEN n % 100 < 95 THEN 'sent' WHEN n % 100 < 99 THEN 'failed' ELSE 'canceled' END AS s
      FROM (SELECT n, n / ${count}::float8 AS part FROM generate_series(1, ${count}) n) p
    ) m;
  ${fillOutbox({
    heldBy: `CASE WHEN m.status = 'queued' AND m.id <= 0.96 * ${count} AND m.id % 3 = 0 THEN 1 + m.id % 2 END`,
    resolveAt: `CASE WHEN m.status = 'queued' AND m.id > 0.96 * ${count} THEN now() END`,
  })}`;

/** Rows that belong to messages. */
const relatedRows = (count: number) => `
  INSERT INTO message_events (message_log_id, event, occurred_at, details)
    SELECT id, 'sent', created_at, jsonb_build_object('source', 'answer', 'messageId', provider_message_id)
    FROM message_logs WHERE sent_at IS NOT NULL;
  INSERT INTO campaign_messages SELECT campaign_id, campaign_row, id FROM message_logs WHERE campaign_row IS NOT NULL;
  INSERT INTO webhook_digests SELECT sha256(n::text::bytea), now() - n * interval '12 days' / ${count}
    FROM generate_series(1, ${count}) n;
  INSERT INTO opt_outs
    SELECT '${TENANT}', '1202' || lpad(n::text, 7, '0'), CASE WHEN n % 10 = 0 THEN 'all' ELSE 'marketing' END,
      CASE WHEN n % 2 = 0 THEN 'provider' ELSE 'import' END, NULL, now() - n * interval '1 minute'
    FROM generate_series(1, ${count}) n;
  INSERT INTO opt_out_lifts
    SELECT '${TENANT}', '1202' || lpad(n::text, 7, '0'), at, at, at
    FROM (SELECT n, now() - n * interval '12 days' / ${count} AS at FROM generate_series(1, ${count}) n) l;
  INSERT INTO late_sends SELECT tenant_id, sent_at, id FROM message_logs WHERE sent_at IS NOT NULL;
  INSERT INTO ledger_entries (tenant_id, message_log_id, kind, amount, currency, created_at)
    SELECT tenant_id, id, 'charge', cost, currency, created_at FROM message_logs;
  INSERT INTO idempotency_keys (tenant_id, key, body_hash, message_log_id, created_at)
    SELECT tenant_id, 'key-' || id, '', id, now() - id * interval '50 hours' / ${count} FROM message_logs;
  INSERT INTO event_stream (tenant_id, type, recorded_at, messages)
    SELECT tenant_id, 'message.accepted', created_at, ARRAY[id] FROM message_logs ORDER BY id;
  INSERT INTO message_stats
    SELECT '${TENANT}', date_trunc('hour', now() - n / 4 * interval '1 hour'), 1 + n % 2, 1 + n % 4, 'UTILITY', 'USD',
      1, 1, 1, 1, 0, 0, 1, now() - n / 4 * interval '1 hour'
    FROM generate_series(0, ${count} / 2) n;
  INSERT INTO webhook_inbox (payload, received_at, next_try_at, processed_at, parked_at)
    SELECT '{}', at, at, CASE WHEN n > 50 THEN at END, CASE WHEN n BETWEEN 21 AND 50 THEN at END
    FROM (SELECT n, now() - n * interval '1 minute' AS at FROM generate_series(${count}, 1, -1) n) a;`;

/** The tables in partitions by ids of messages, and that by its own. */
const PARTED = {
  message_logs: 50,
  message_events: 100,
  ledger_entries: 100,
  webhook_inbox: 100,
  event_stream: 100,
};

/** Partitions that are filled; one more is for what comes. */
export const FILLED_PARTITIONS = 4;

const partition = (table: string, name: string, from: number | string, to: number | string) =>
  `CREATE TABLE ${table}_${name} PARTITION OF ${table} FOR VALUES FROM (${from}) TO (${to})
    WITH (fillfactor = ${PARTED[table as keyof typeof PARTED]});`;

/** As if the tables had been parted when they were empty. */
const partitions = (count: number) =>
  Object.keys(PARTED)
    .map((table) => {
      const starts = Array.from({ length: FILLED_PARTITIONS }, (_, i) => 1 + (i * count) / FILLED_PARTITIONS);
      const parts = starts.map((from, i) =>
        partition(table, `part_${i}`, i ? from : 'MINVALUE', from + count / FILLED_PARTITIONS),
      );
      const span = table === 'event_stream' ? 1_000_000 : 10_000_000;
      return `DROP TABLE ${table}_from_0, ${table}_from_${span}; ${parts.join('\n')}`;
    })
    .join('\n');

/** The last partition, which is empty, and which nobody has analysed: nothing has changed in it. */
const lastPartitions = (count: number) =>
  Object.keys(PARTED)
    .map((table) => partition(table, 'last', 1 + count, 'MAXVALUE'))
    .join('\n');

/** Statistics of all rows, not of a random sample, so that plans are the same each time. */
const ANALYZE = 'SET default_statistics_target = 1000; ANALYZE;';

/**
 * Fills a database as two years of use would, for tests of plans.
 * @param count number of messages; other growing tables have about as many rows
 */
export function grownTables(count: number): string {
  const finished = Math.floor((0.6 * count) / FINISHED_ROWS);
  const ofCampaigns = CAMPAIGN_ROWS / 2 + finished * FINISHED_ROWS;
  return [
    partitions(count),
    ACCOUNTS,
    messages(count, ofCampaigns),
    campaigns(finished),
    relatedRows(count),
    ANALYZE,
    lastPartitions(count),
  ].join('\n');
}
