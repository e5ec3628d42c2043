/** Removes all that messages leave behind. The outbox keeps its pages, as it does in use. */
export const CLEAR = `
  TRUNCATE message_logs, message_events, ledger_entries, idempotency_keys, webhook_inbox, webhook_digests,
    campaign_messages, message_retries, message_stats, number_activity, late_sends, event_stream, opt_outs;
  DELETE FROM outbox`;

/** $1: the API ids of the numbers that have messages due; those scheduled ahead do not count. */
export const BACKLOG = `
  SELECT (
    (SELECT count(*) FROM outbox o JOIN messaging_accounts n ON n.id = o.messaging_account_id
      WHERE n.api_id = ANY($1) AND o.resolve_at IS NULL AND o.held_by IS NULL AND o.due_at <= now())
    + (SELECT count(*) FROM outbox WHERE resolve_at IS NOT NULL)
  )::integer AS count`;

/** Uses the partial indexes, as it is asked often and must not cost much of the measurement. */
export const INBOX_LEFT = `
  SELECT (
    (SELECT count(*) FROM webhook_inbox WHERE processed_at IS NULL AND parked_at IS NULL)
    + (SELECT count(*) FROM webhook_inbox WHERE parked_at IS NOT NULL)
  )::integer AS count`;

export const TEMPLATE_ID = `SELECT id FROM templates WHERE name = 'order_update' AND removed_at IS NULL`;

/** $1: API ids of the numbers, in turn; $2: the template's id; $3: components; $4: recipients. */
const fill = (columns: string, values: string) => `
  WITH item AS MATERIALIZED (
    SELECT nextval('message_logs_id_seq') AS id, r.phone,
      ($1::text[])[1 + r.ordinal % cardinality($1::text[])] AS api_id
    FROM unnest($4::text[]) WITH ORDINALITY AS r (phone, ordinal)
  ), message AS (
    INSERT INTO message_logs (id, tenant_id, messaging_account_id, template_id, phone, template_name, language,
      components, auto_retry_on_frequency_cap, conversation_category, cost, currency, created_at, ${columns})
    SELECT i.id, t.tenant_id, n.id, t.id, i.phone, t.name, t.language,
      $3::jsonb, false, t.category, 0.0157, 'USD', now(), ${values}
    FROM item i JOIN messaging_accounts n ON n.api_id = i.api_id JOIN templates t ON t.id = $2
    RETURNING *
  ), waiting AS (
    INSERT INTO outbox (message_log_id, tenant_id, messaging_account_id, template_id, category, created_at, due_at)
    SELECT id, tenant_id, messaging_account_id, template_id, conversation_category, created_at, created_at
    FROM message WHERE status = 'queued'
  )
  INSERT INTO ledger_entries (tenant_id, message_log_id, kind, amount, currency, created_at)
  SELECT tenant_id, id, 'charge', cost, currency, created_at FROM message
  RETURNING message_log_id AS id`;

export const FILL_BACKLOG = fill('status', `'queued'`);

export const FILL_SENT = fill(
  'status, attempts, sent_at, provider_message_id',
  `'sent', 1, now(), 'wamid.bench.' || i.id`,
);

/** Tells that messages $1 were accepted and sent, ten at a time, as when many come. */
export const TELL_EVENTS = `
  INSERT INTO event_stream (tenant_id, type, recorded_at, messages)
  SELECT tenant_id, type, now(), ids FROM (
    SELECT m.tenant_id, n.ordinal / 10 AS place, array_agg(m.id ORDER BY m.id) AS ids
    FROM unnest($1::bigint[]) WITH ORDINALITY n (id, ordinal) JOIN message_logs m ON m.id = n.id GROUP BY 1, 2
  ) one, unnest(ARRAY['message.accepted', 'message.sent']) type ORDER BY place, type`;

export const LAST_EVENT =
  'SELECT coalesce((SELECT id FROM event_stream ORDER BY id DESC LIMIT 1), 0)::float8 AS id';

/** $1: any number of a tenant; $2: how many people opt out, to whom the benchmark sends nothing. */
export const OPT_OUT = `
  INSERT INTO opt_outs (tenant_id, phone, scope, source, created_at)
  SELECT n.tenant_id, '97156' || lpad((i::bigint * 7919 % 9999991)::text, 7, '0'),
    CASE WHEN i % 10 = 0 THEN 'all' ELSE 'marketing' END, 'import', now() - i * interval '1 minute'
  FROM messaging_accounts n, generate_series(1, $2::integer) i WHERE n.api_id = $1`;
