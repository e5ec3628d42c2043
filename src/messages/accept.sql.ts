import type { Statement } from '../database/database.js';
import { optOutScopeSql } from '../recipients/opt-outs.sql.js';
import { tellMessages } from '../events/tell.sql.js';
import { COUNT_SPENDING, decideSpending } from '../spending/counting.sql.js';
import { SOON, tellOf } from './message-effects.sql.js';

/** Looked up by hash: the planner expects one message, and would compare each with all others in a join. */
const IS_ACCEPTED = '(id IN (SELECT id FROM accepted)) IS TRUE';

/** How a statement looks after limits of what may be spent. */
interface Limits {
  /** SQL of a further column of `sendable`. */
  column: string;
  /** CTEs behind `sendable`, and behind `accepted`, each with a comma at its end. */
  decided: string;
  counted: string;
  /** SQL of whether a row of `sendable` may be accepted by these. */
  fits: string;
  /** SQL of what is answered for a row that may not: its outcome, and its limits. */
  outcome: string;
  limits: string;
  /** SQL of the table to join for that. */
  joined: string;
}

/** For tenants with limits: decides, and counts. */
const COUNTED: Limits = {
  column: '',
  decided: `${decideSpending('i.opt_out_scope IS NULL')},`,
  counted: `${COUNT_SPENDING},`,
  fits: 'id NOT IN (SELECT id FROM over_limit)',
  outcome: `WHEN over_limit.id IS NOT NULL THEN 'over_limit'`,
  limits: 'over_limit.limits',
  joined: 'LEFT JOIN over_limit USING (id)',
};

/** For all others: leaves the messages of tenants with limits to the other statement, and costs next to nothing. */
const LEFT: Limits = {
  column: ', EXISTS (SELECT FROM spend_limits l WHERE l.tenant_id = item.tenant_id) AS is_limited',
  decided: '',
  counted: '',
  fits: 'NOT is_limited',
  outcome: `WHEN sendable.is_limited THEN 'limited'`,
  limits: 'NULL::jsonb AS limits',
  joined: '',
};

/** How a statement looks after idempotency keys. */
interface Keys {
  /** CTEs that write the keys of what is sendable. */
  keyed: string;
  /** SQL of whether a message may be accepted by these. */
  fits: string;
  /** SQL of what is answered for a row of `sendable`, whether or not it would have been accepted. */
  taken: string;
}

/**
 * (none) → queued | scheduled. Inserts the messages with their charges, idempotency keys and events. Refuses, item by
 * item: `template_changed` when the template is no longer as the caller's cache had it, or no longer of the number's
 * business account, `opted_out` when its recipient wants no such message, `over_limit` when there is no room for it under
 * a limit of what may be spent, `key_taken` when the idempotency key belongs to another message. A second message for a row of a campaign is an error, by the key
 * of campaign_messages. Wakes the workers for what is due now or soon.
 * @param keys how it looks after the idempotency keys
 */
const acceptOf = (name: string, { keyed, fits, taken }: Keys, limits: Limits): Statement => ({
  name,
  text: `
    WITH RECURSIVE item AS MATERIALIZED (
      SELECT nextval('message_logs_id_seq') AS id, i.* FROM json_to_recordset($2) AS i(
        ordinal integer, tenant_id uuid, messaging_account_id integer, template_id integer,
        template_revision integer, phone text, template_name text, language text, components jsonb,
        due_at timestamptz, scheduled_at timestamptz, timezone text, auto_retry boolean, category text,
        cost numeric, currency text, idempotency_key text, body_hash text, campaign_id integer, campaign_row integer,
        accept_token uuid, template_version uuid, client_reference text, metadata jsonb, valid_until timestamptz,
        max_cost numeric, expect jsonb, api_key_id uuid)
    ), sendable AS MATERIALIZED (
      SELECT item.*, ${optOutScopeSql('item', 'item.category')} AS opt_out_scope${limits.column}
      FROM item JOIN templates t ON t.id = item.template_id
        JOIN messaging_accounts n ON n.id = item.messaging_account_id AND n.business_account_id = t.business_account_id
      WHERE t.status = 'APPROVED' AND t.removed_at IS NULL AND t.revision = item.template_revision
    ), ${limits.decided} ${keyed}
    ), accepted AS (
      INSERT INTO message_logs (id, tenant_id, messaging_account_id, template_id, phone, template_name, language,
        components, status, scheduled_at, timezone, auto_retry_on_frequency_cap, conversation_category,
        cost, currency, created_at, campaign_id, campaign_row, accept_token, template_version, client_reference, metadata,
        valid_until, max_cost, expect, api_key_id)
      SELECT id, tenant_id, messaging_account_id, template_id, phone, template_name, language,
        components, CASE WHEN due_at > $1::timestamptz THEN 'scheduled' ELSE 'queued' END, scheduled_at, timezone,
        auto_retry, category, cost, currency, $1::timestamptz, campaign_id, campaign_row, accept_token, template_version,
        client_reference, metadata, valid_until, max_cost, expect, api_key_id
      FROM sendable
      WHERE opt_out_scope IS NULL AND ${limits.fits} AND ${fits}
      RETURNING id, tenant_id, cost, currency
    ), waiting AS (
      INSERT INTO outbox (message_log_id, tenant_id, messaging_account_id, template_id, category, due_at, campaign_id,
        campaign_row, created_at, valid_until)
      SELECT id, tenant_id, messaging_account_id, template_id, category, due_at, campaign_id, campaign_row, $1::timestamptz,
        valid_until
      FROM sendable WHERE ${IS_ACCEPTED}
      RETURNING messaging_account_id, due_at
    ), placed AS (
      INSERT INTO campaign_messages (campaign_id, campaign_row, message_log_id)
      SELECT campaign_id, campaign_row, id FROM sendable
      WHERE campaign_row IS NOT NULL AND ${IS_ACCEPTED}
    ), charged AS (
      INSERT INTO ledger_entries (tenant_id, message_log_id, kind, amount, currency, created_at)
      SELECT tenant_id, id, 'charge', cost, currency, $1::timestamptz FROM accepted
    ), ${limits.counted} told AS (${tellMessages(`
        SELECT 1 AS place, 'message.accepted' AS type, tenant_id, id, NULL::jsonb AS data FROM accepted`)}
    )
    SELECT item.ordinal, item.id,
      CASE WHEN sendable.id IS NULL THEN 'template_changed'
        ${taken}
        WHEN sendable.opt_out_scope IS NOT NULL THEN 'opted_out'
        ${limits.outcome}
        WHEN accepted.id IS NULL THEN 'key_taken' ELSE 'accepted' END AS outcome, sendable.opt_out_scope, ${limits.limits},
      ${tellOf(`waiting WHERE due_at <= $1::timestamptz + interval '${SOON} milliseconds'`)}
    FROM item LEFT JOIN sendable USING (id) ${limits.joined} LEFT JOIN accepted USING (id)
    ORDER BY item.ordinal`,
});

const ownKeys = ({ fits }: Limits): Keys => ({
  keyed: `keyed AS (
      INSERT INTO idempotency_keys (tenant_id, key, body_hash, message_log_id, created_at)
      SELECT tenant_id, idempotency_key, body_hash, id, $1::timestamptz FROM sendable
      WHERE idempotency_key IS NOT NULL AND opt_out_scope IS NULL AND ${fits} ORDER BY tenant_id, idempotency_key
      ON CONFLICT DO NOTHING RETURNING message_log_id`,
  fits: '(idempotency_key IS NULL OR id IN (SELECT message_log_id FROM keyed))',
  taken: '',
});

/**
 * Each message for itself, with a key of its own or none. `limited` refuses those of tenants that have a limit of what may
 * be spent, for ACCEPT_LIMITED to decide: they cost the others nothing.
 */
export const ACCEPT = acceptOf('message_accept', ownKeys(LEFT), LEFT);

/** The same for tenants with such limits, or without. */
export const ACCEPT_LIMITED = acceptOf('message_accept_limited', ownKeys(COUNTED), COUNTED);

const ONE_KEY: Keys = {
  keyed: `whole AS MATERIALIZED (
      SELECT (SELECT count(*) FROM item) = (SELECT count(*) FROM sendable) AS is_sendable
    ), keyed AS (
      INSERT INTO idempotency_keys (tenant_id, key, body_hash, answer, created_at)
      SELECT $3::uuid, $4::text, $5::text, jsonb_build_object('refused', $6::jsonb,
        'accepted', (SELECT coalesce(jsonb_agg(jsonb_build_array(ordinal, id, category, cost)), '[]')
          FROM sendable WHERE opt_out_scope IS NULL AND ${COUNTED.fits}),
        'over_limit', (SELECT coalesce(jsonb_agg(jsonb_build_array(ordinal, limits)), '[]')
          FROM sendable JOIN over_limit USING (id)),
        'opted_out', (SELECT coalesce(jsonb_agg(jsonb_build_array(ordinal, opt_out_scope)), '[]')
          FROM sendable WHERE opt_out_scope IS NOT NULL)), $1::timestamptz
      FROM whole WHERE is_sendable AND $4::text IS NOT NULL
      ON CONFLICT DO NOTHING RETURNING key`,
  fits: '(SELECT is_sendable FROM whole) AND ($4::text IS NULL OR EXISTS (SELECT FROM keyed))',
  // Also where no message would be accepted: what the first request came to is the answer.
  taken: `WHEN $4::text IS NOT NULL AND NOT EXISTS (SELECT FROM keyed) THEN 'key_taken'`,
};

/**
 * The messages of one batch, of a tenant ($3), under one key ($4, or null): all that are neither opted out nor over a limit, or
 * none where the key is taken or the template of one has changed. With the key is kept what came of them ($5: the hash of the body, $6:
 * what was refused before, BatchOutcome's `refused`).
 */
export const ACCEPT_BATCH = acceptOf('message_accept_batch', ONE_KEY, COUNTED);
