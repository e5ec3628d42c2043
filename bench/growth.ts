import { eventually } from '../test/support/eventually.js';
import { Deployment } from './deployment.js';
import type { Environment } from './environment.js';
import { COMPONENTS } from './requests.js';

/** The number of messaging accounts. */
const NUMBERS = 500;

/** The part of the messages that is scheduled for later. */
const SCHEDULED_PART = 0.2;

/** Rows of one INSERT. */
const BATCH = 100_000;

/** Milliseconds for the overview's first count of all messages. */
const PATIENCE = 3_600_000;

/** A deployment as after 300 days of use: filled by SQL, then counted and vacuumed as the service would have done. */
export async function growDeployment(environment: Environment, messages: number): Promise<Deployment> {
  const deployment = await Deployment.create(environment, 'grown');
  const { database } = deployment;
  await database.query(ADD_NUMBERS, [NUMBERS]);
  const scheduled = Math.round(messages * SCHEDULED_PART);
  for (let row = 0; row < messages; row += BATCH) {
    const count = Math.min(BATCH, messages - row);
    await database.query(ADD_MESSAGES, [row, count, messages - scheduled, JSON.stringify(COMPONENTS)]);
    environment.say(`${row + count} of ${messages} messages of the grown database are filled in`);
  }
  await database.query('VACUUM (ANALYZE)');
  environment.say('The grown database is vacuumed; the worker counts it for the overview');
  await deployment.running({ worker: 1 }, () => untilCounted(deployment));
  await environment.calm();
  return deployment;
}

async function untilCounted({ database }: Deployment): Promise<void> {
  const check = async () => {
    const { rowCount } = await database.query(COUNTED);
    if (rowCount === 0) throw new Error('The messages are not counted yet');
  };
  await eventually(check, { patience: PATIENCE, interval: 1_000 });
}

const COUNTED = `SELECT FROM message_stats_passes WHERE name = 'all' AND counted_at IS NOT NULL`;

/** Adds numbers like the existing ones until there are $1. */
export const ADD_NUMBERS = `
  INSERT INTO messaging_accounts (api_id, tenant_id, business_account_id, phone_number_id, phone, name,
    messages_per_second)
  SELECT 'acc_' || lpad(i::text, 20, '0'), n.tenant_id, n.business_account_id, (200000000000000 + i)::text,
    (14160000000 + i)::text, 'Number ' || i, 80
  FROM (SELECT * FROM messaging_accounts ORDER BY id LIMIT 1) n,
    generate_series((SELECT count(*) FROM messaging_accounts) + 1, $1::integer) i`;

/**
 * Adds $2 messages from row $1 on, oldest first. Those from row $3 on are scheduled within a day from tomorrow on. Each
 * has its charge, and each sent one has two events.
 */
const ADD_MESSAGES = `
  WITH item AS MATERIALIZED (
    SELECT nextval('message_logs_id_seq') AS id, i, i >= $3::integer AS ahead,
      CASE WHEN i >= $3::integer THEN now() ELSE now() - interval '300 days' * (1 - i / $3::float8) END AS created_at,
      CASE WHEN i >= $3::integer THEN now() + interval '1 day' + interval '7 days' * random() END AS scheduled_at,
      CASE WHEN i >= $3::integer THEN 'scheduled' WHEN i % 20 < 14 THEN 'read' WHEN i % 20 < 17 THEN 'delivered'
        WHEN i % 20 < 19 THEN 'sent' ELSE 'failed' END AS status,
      '9665' || lpad((random() * 99999999)::integer::text, 8, '0') AS phone
    FROM generate_series($1::integer, $1::integer + $2::integer - 1) i
  ), number AS MATERIALIZED (
    SELECT id, row_number() OVER (ORDER BY id) - 1 AS ordinal, count(*) OVER () AS numbers FROM messaging_accounts
  ), message AS (
    INSERT INTO message_logs (id, tenant_id, messaging_account_id, template_id, phone, template_name, language,
      components, status, scheduled_at, timezone, auto_retry_on_frequency_cap, conversation_category, cost,
      currency, attempts, provider_message_id, error, created_at, sent_at, delivered_at, read_at, failed_at)
    SELECT item.id, t.tenant_id, n.id, t.id, item.phone, t.name, t.language, $4::jsonb, item.status,
      item.scheduled_at, CASE WHEN item.ahead THEN 'Asia/Dubai' END, false,
      t.category, 0.0157, 'USD', CASE WHEN item.ahead THEN 0 ELSE 1 END,
      CASE WHEN item.status IN ('sent', 'delivered', 'read') THEN 'wamid.old.' || item.id END,
      CASE WHEN item.status = 'failed' THEN '{"code": 131026, "title": "Undeliverable", "details": null}'::jsonb END,
      item.created_at,
      CASE WHEN item.status IN ('sent', 'delivered', 'read') THEN item.created_at END,
      CASE WHEN item.status IN ('delivered', 'read') THEN item.created_at END,
      CASE WHEN item.status = 'read' THEN item.created_at END,
      CASE WHEN item.status = 'failed' THEN item.created_at END
    FROM item JOIN number n ON n.ordinal = item.i % n.numbers
      JOIN templates t ON t.name = 'order_update' AND t.removed_at IS NULL
    RETURNING *
  ), waiting AS (
    INSERT INTO outbox (message_log_id, tenant_id, messaging_account_id, template_id, category, created_at, due_at)
    SELECT id, tenant_id, messaging_account_id, template_id, conversation_category, created_at, scheduled_at
    FROM message WHERE status = 'scheduled'
  ), event AS (
    INSERT INTO message_events (message_log_id, event, occurred_at, details)
    SELECT id, event, created_at, '{"source": "receipt"}'
    FROM message, unnest(ARRAY['sent', 'delivered']) event WHERE status IN ('delivered', 'read')
  ), refund AS (
    INSERT INTO ledger_entries (tenant_id, message_log_id, kind, amount, currency, created_at)
    SELECT tenant_id, id, 'refund', cost, currency, created_at FROM message WHERE status = 'failed'
  )
  INSERT INTO ledger_entries (tenant_id, message_log_id, kind, amount, currency, created_at)
  SELECT tenant_id, id, 'charge', cost, currency, created_at FROM message`;
