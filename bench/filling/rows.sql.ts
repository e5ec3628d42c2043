import { SENT_TEMPLATE } from '../provider/templates.js';

/*
 * Rows of an installation that has been in use for long, made from the number of a message alone: so each table, and each
 * part of it, is made by itself, by any connection. What they share: `$1` and `$2` are the first and the last number of a
 * part, `$3` is the fill, of which `FILL` makes a row `f`.
 */

const FILL = `
  jsonb_to_record($3::jsonb) AS f(tenant_id uuid, numbers integer[], templates integer[], components jsonb, version uuid,
    business_account text, phone_number text, now timestamptz, first bigint, last bigint, oldest float8, newest float8,
    ahead_from bigint, category text, price numeric, group_of bigint, days_of_events float8)`;

/** SQL of the time at which message `i` was accepted: evenly from the oldest to the newest. */
const acceptedAt = (i: string) =>
  `(f.now - interval '1 day' * (f.oldest - (f.oldest - f.newest) * (${i} - f.first) / (f.last - f.first + 1)::float8))`;

/** A quarter of the newest messages is still to be sent. */
const isAhead = (i: string) => `(${i} >= f.ahead_from AND ${i} % 4 = 1)`;

const statusOf = (i: string) => `
  CASE WHEN ${isAhead(i)} THEN 'scheduled' WHEN ${i} % 20 < 14 THEN 'read' WHEN ${i} % 20 < 17 THEN 'delivered'
    WHEN ${i} % 20 < 19 THEN 'sent' ELSE 'failed' END`;

/** One after the other: in FROM, the function would write all of them down first. */
const numbers = `(SELECT generate_series($1::bigint, $2::bigint) AS i) s`;

const providerId = (i: string) => `'wamid.old.' || ${i}`;

/** Messages come by runs of one number with one template. */
const RUN = 40;
const numberOf = (i: string) => `f.numbers[1 + ${i} / ${RUN} % cardinality(f.numbers)]`;
const templateOf = (i: string) => `(${i} / ${5 * RUN} % cardinality(f.templates))`;

/** The recipient: each gets a few messages, in no order. */
const phoneOf = (i: string) => `'9665' || lpad((${i} * 2654435761 % 4999999)::text, 8, '0')`;

const isRetry = (i: string) => `(${i} % 200 = 20 AND NOT ${isAhead(i)} AND ${i} > f.first)`;

/** A tenth is of campaigns, each over so many messages. */
export const CAMPAIGN_SPAN = 100_000;
const isOfCampaign = (i: string) => `${i} % 10 = 3`;
const campaignOf = (i: string) => `(1 + ${i} / ${CAMPAIGN_SPAN})`;
const campaignRowOf = (i: string) => `(1 + ${i} % ${CAMPAIGN_SPAN} / 10)`;

const messages = (target: string) => `
  INSERT INTO ${target} (id, created_at, scheduled_at, sent_at, delivered_at, read_at, failed_at, retry_of,
    messaging_account_id, template_id, attempts, campaign_id, campaign_row, retry_count, auto_retry_on_frequency_cap,
    tenant_id, accept_token, phone, template_name, language, status, conversation_category, cost, currency, timezone,
    provider_message_id, components, error, template_version, client_reference)
  SELECT i, at, CASE WHEN ahead THEN ${dueAt('i')} END,
    CASE WHEN status IN ('sent', 'delivered', 'read') THEN at + interval '200 ms' END,
    CASE WHEN status IN ('delivered', 'read') THEN at + interval '3 seconds' END,
    CASE WHEN status = 'read' THEN at + interval '1 minute' END,
    CASE WHEN status = 'failed' THEN at + interval '2 seconds' END,
    CASE WHEN ${isRetry('i')} THEN i - 1 END,
    ${numberOf('i')}, f.templates[1 + ${templateOf('i')}],
    CASE WHEN ahead THEN 0 ELSE 1 END, CASE WHEN ${isOfCampaign('i')} THEN ${campaignOf('i')} END,
    CASE WHEN ${isOfCampaign('i')} THEN ${campaignRowOf('i')} END, CASE WHEN ${isRetry('i')} THEN 1 ELSE 0 END,
    i % 2 = 0, f.tenant_id, md5(i::text)::uuid, ${phoneOf('i')}, CASE ${templateOf('i')} WHEN 0 THEN '${SENT_TEMPLATE}' ELSE '${SENT_TEMPLATE}_' || ${templateOf('i')} END, 'en_US',
    status, f.category, f.price, 'USD', CASE WHEN ahead THEN 'Asia/Dubai' END,
    CASE WHEN status IN ('sent', 'delivered', 'read') THEN ${providerId('i')} END, f.components,
    CASE WHEN status = 'failed' THEN '{"code": 131026, "title": "Undeliverable", "details": null}'::jsonb END, f.version,
    CASE WHEN i % 10 = 5 THEN 'order-' || i END
  FROM ${FILL}, LATERAL (
    SELECT i, ${acceptedAt('i')} AS at, ${isAhead('i')} AS ahead, ${statusOf('i')} AS status FROM ${numbers} OFFSET 0
  ) m`;

/** What is scheduled is due within the next eight weeks. */
function dueAt(i: string): string {
  return `f.now + interval '1 day' + interval '8 weeks' * (${i} * 2654435761 % 1000003 / 1000003::float8)`;
}

/** The answer and the receipts of each: those who read it have three, those who have failed one. */
const messageEvents = (target: string) => `
  INSERT INTO ${target} (id, message_log_id, occurred_at, recorded_at, event, details)
  SELECT 3 * i + step, i, m.at + after, m.at + after, CASE WHEN status = 'failed' THEN 'failed' ELSE e.event END,
    CASE WHEN status = 'failed' THEN '{"source": "receipt", "error": {"code": 131026, "title": "Undeliverable"}}'::jsonb
      WHEN step = 0 THEN jsonb_build_object('source', 'answer', 'attempt', 1, 'messageId', ${providerId('i')})
      ELSE '{"p": "true PMP regular utility", "source": "receipt"}'::jsonb END
  FROM ${FILL}, LATERAL (
    SELECT i, ${acceptedAt('i')} AS at, ${statusOf('i')} AS status FROM ${numbers} WHERE NOT ${isAhead('i')} OFFSET 0
  ) m, (VALUES (0, 'sent', interval '200 ms'), (1, 'delivered', interval '3 seconds'),
    (2, 'read', interval '1 minute')) e(step, event, after)
  WHERE step <= CASE status WHEN 'read' THEN 2 WHEN 'delivered' THEN 1 ELSE 0 END`;

/** A charge for each, and a refund for each that has failed. */
const ledgerEntries = (target: string) => `
  INSERT INTO ${target} (id, message_log_id, created_at, tenant_id, kind, currency, amount)
  SELECT 2 * i + step, i, ${acceptedAt('i')}, f.tenant_id, kind, 'USD', f.price
  FROM ${FILL}, LATERAL (SELECT i FROM ${numbers} OFFSET 0) m, (VALUES (0, 'charge'), (1, 'refund')) k(step, kind)
  WHERE step = 0 OR ${statusOf('i')} = 'failed'`;

/**
 * The stream: messages that were accepted, sent, delivered and read together have one entry for each of these. Entry $1
 * is of the `group_of` messages that follow the first one whose events are kept.
 */
const eventStream = (target: string) => `
  INSERT INTO ${target} (id, recorded_at, tenant_id, type, messages)
  SELECT i, ${acceptedAt('message')} + after, f.tenant_id, type, m.messages
  FROM ${FILL}, LATERAL (
    SELECT i, i % 4 AS step, ${firstOfEvents} + i / 4 * f.group_of AS message FROM ${numbers} OFFSET 0
  ) n, LATERAL (
    SELECT ARRAY(SELECT j FROM generate_series(message, message + f.group_of - 1) j
      WHERE step = 0 OR (NOT ${isAhead('j')} AND j % 20 < CASE step WHEN 1 THEN 19 WHEN 2 THEN 17 ELSE 14 END)) AS messages
    OFFSET 0
  ) m, (VALUES (0, 'message.accepted', interval '0'), (1, 'message.sent', interval '200 ms'),
    (2, 'message.delivered', interval '3 seconds'), (3, 'message.read', interval '1 minute')) e(of, type, after)
  WHERE e.of = step AND cardinality(m.messages) > 0`;

/** SQL of the first message whose events and deliveries are kept. */
const firstOfEvents = `(f.last - floor((f.last - f.first + 1) * least(1, f.days_of_events / (f.oldest - f.newest)))::bigint)`;

/** Deliveries, each with the receipts of `group_of` messages. */
const inbox = (target: string) => `
  INSERT INTO ${target} (id, received_at, next_try_at, processed_at, tries, payload)
  SELECT i, at, at, at + interval '20 ms', 1,
    '{"object":"whatsapp_business_account","entry":[{"id":"' || f.business_account || '","changes":[{"field":"messages","value":'
      || '{"messaging_product":"whatsapp","metadata":{"display_phone_number":"14155551000","phone_number_id":"'
      || f.phone_number || '"},"statuses":[' || (
        SELECT string_agg('{"id":"' || ${providerId('j')} || '","status":"delivered","timestamp":"'
          || extract(epoch FROM at)::bigint || '","recipient_id":"' || ${phoneOf('j')} || '","biz_opaque_callback_data":"bench:'
          || j || '","pricing":{"billable":true,"pricing_model":"PMP","type":"regular","category":"utility"}}', ',')
        FROM generate_series(message, message + f.group_of - 1) j
      ) || ']}}]}]}'
  FROM ${FILL}, LATERAL (
    SELECT i, message, ${acceptedAt('message')} + interval '3 seconds' AS at
    FROM (SELECT i, ${firstOfEvents} + i / 2 * f.group_of AS message FROM ${numbers}) g OFFSET 0
  ) m`;

/** The rows of tables in partitions, by the table: SQL that fills a part of one with those from $1 to $2. */
export const PARTED_ROWS: Record<string, (target: string) => string> = {
  message_logs: messages,
  message_events: messageEvents,
  ledger_entries: ledgerEntries,
  event_stream: eventStream,
  webhook_inbox: inbox,
};

/** The rows that tables without partitions have of messages $1 to $2. */
export const OTHER_ROWS: Record<string, string> = {
  outbox: `
    INSERT INTO outbox (message_log_id, tenant_id, messaging_account_id, template_id, category, campaign_id, campaign_row,
      created_at, due_at)
    SELECT i, f.tenant_id, ${numberOf('i')}, f.templates[1 + ${templateOf('i')}],
      f.category, CASE WHEN ${isOfCampaign('i')} THEN ${campaignOf('i')} END,
      CASE WHEN ${isOfCampaign('i')} THEN ${campaignRowOf('i')} END, ${acceptedAt('i')}, ${dueAt('i')}
    FROM ${FILL}, LATERAL (SELECT i FROM ${numbers} OFFSET 0) m WHERE ${isAhead('i')}`,
  campaigns: `
    INSERT INTO campaigns (id, tenant_id, messaging_account_id, name, template_name, language, status, row_count,
      accepted_count, created_by, created_at, ended_at)
    SELECT c, f.tenant_id, f.numbers[1], 'Campaign ' || c, 'order_update', 'en_US', 'finished', ${CAMPAIGN_SPAN / 10},
      ${CAMPAIGN_SPAN / 10}, '', f.now, f.now
    FROM ${FILL}, generate_series(${campaignOf('$1::bigint')}, ${campaignOf('$2::bigint')}) c ON CONFLICT DO NOTHING`,
  campaign_messages: `
    INSERT INTO campaign_messages (campaign_id, campaign_row, message_log_id)
    SELECT ${campaignOf('i')}, ${campaignRowOf('i')}, i FROM ${FILL}, LATERAL (SELECT i FROM ${numbers} OFFSET 0) m
    WHERE ${isOfCampaign('i')}`,
  message_retries: `
    INSERT INTO message_retries (retry_of, message_log_id)
    SELECT i - 1, i FROM ${FILL}, LATERAL (SELECT i FROM ${numbers} OFFSET 0) m WHERE ${isRetry('i')}`,
  idempotency_keys: `
    INSERT INTO idempotency_keys (tenant_id, key, body_hash, message_log_id, created_at)
    SELECT f.tenant_id, 'key-' || md5(i::text), md5(i::text), i, at
    FROM ${FILL}, LATERAL (SELECT i, ${acceptedAt('i')} AS at FROM ${numbers} OFFSET 0) m
    WHERE i % 2 = 0 AND at > f.now - interval '48 hours'`,
  webhook_digests: `
    INSERT INTO webhook_digests (digest, received_at)
    SELECT sha256(i::text::bytea), at
    FROM ${FILL}, LATERAL (SELECT i, ${acceptedAt('i')} AS at FROM ${numbers} OFFSET 0) m
    WHERE i % 3 = 0 AND at > f.now - interval '10 days'`,
  opt_outs: `
    INSERT INTO opt_outs (tenant_id, phone, scope, source, created_at)
    SELECT f.tenant_id, '4477' || lpad(i::text, 8, '0'), CASE WHEN i % 10 = 0 THEN 'all' ELSE 'marketing' END,
      CASE WHEN i % 2 = 0 THEN 'provider' ELSE 'keyword' END, ${acceptedAt('i')}
    FROM ${FILL}, LATERAL (SELECT i FROM ${numbers} OFFSET 0) m WHERE i % 100 = 0`,
};
