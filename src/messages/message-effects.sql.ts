import { MESSAGE_DUE } from '../database/notifications.js';
import { tellMessages } from '../events/tell.sql.js';
import { keepOptOuts } from '../recipients/opt-outs.sql.js';
import { SHARDS, shardSql } from '../shards/shards.js';
import { noteSpending } from '../spending/counting.sql.js';

/*
 * Parts of the statements that change messages: what an end brings with it, and whom a change is told to.
 * `$1` is the service's time in all of them.
 */

/** Milliseconds: what is due so soon is told to the workers when it is accepted, as it may be due before they look. */
export const SOON = 10_000;

/** Numbers of a shard that one notification names at most: it may have 8,000 bytes, and an id ten digits. */
const MOST_NAMED = 500;

/**
 * Tells of the numbers in a CTE with `messaging_account_id`, each on the channel of its shard, which the worker that
 * dispatches it listens to; of none, it tells nobody.
 */
export const tellOf = (rows: string) => `(
        SELECT count(pg_notify('${MESSAGE_DUE}' || shard, ids)) FROM (
          SELECT ${shardSql('messaging_account_id')} AS shard, string_agg(DISTINCT messaging_account_id::text, ',') AS ids
          FROM ${rows} GROUP BY 1, messaging_account_id / ${SHARDS * MOST_NAMED}
        ) told)`;

/**
 * Whether an entry `o` of the outbox is claimed, where it is found by its key. Not `IS NOT NULL`: the planner would take the
 * index of all that is claimed for it, and read that from end to end.
 */
export const IS_CLAIMED = '(o.resolve_at IS NULL) IS FALSE';

/**
 * Locks the entries of a CTE `answer (id)` in the order of their ids, as receipts do: else the two could wait for each other.
 */
export const LOCKED = `locked AS MATERIALIZED (
      SELECT message_log_id AS id FROM outbox WHERE message_log_id IN (SELECT id FROM answer)
      ORDER BY message_log_id FOR UPDATE
    )`;

/** The provider's code for a reached marketing cap. */
const MARKETING_CAP = 131049;

/** The provider's code for a recipient who wants no marketing of this business. */
const STOPPED_MARKETING = 131050;

/** 24 hours, after which the provider allows another try, and a margin of two. */
const AUTO_RETRY_DELAY = '26 hours';

/** What a statement knows of failures, and changes beside them. */
interface OtherChanges {
  /** SQL of when a message failed, from a row of `failed`. */
  failedAt?: string;
  /** SQL of further rows for `tellMessages`. */
  others?: string;
  /** SQL of further rows for `noteSpending`. */
  charged?: string;
}

/**
 * What the failure of a message brings with it, in the same statement: its refund, its event and, after 131049 with the
 * opt-in, its one retry, charged as any message, unless it would come when nobody wants it any more; after 131050, the
 * opt-out that the provider has told by it. Expects a CTE
 * `failed (id, tenant_id, error, provider_message_id)`; the key of message_retries, which a trigger writes, forbids a second
 * retry whatever happens.
 */
export const failureEffects = ({ failedAt = '$1::timestamptz', others, charged }: OtherChanges = {}) => `
  refunded AS (
    INSERT INTO ledger_entries (tenant_id, message_log_id, kind, amount, currency, created_at)
    SELECT m.tenant_id, m.id, 'refund', m.cost, m.currency, $1::timestamptz FROM failed JOIN message_logs m USING (id)
  ), retried AS (
    INSERT INTO message_logs (tenant_id, messaging_account_id, template_id, phone, template_name, language,
      components, status, scheduled_at, timezone, auto_retry_on_frequency_cap, retry_count, retry_of,
      campaign_id, conversation_category, cost, currency, created_at, template_version, client_reference, metadata,
      valid_until, max_cost, expect, api_key_id)
    SELECT m.tenant_id, m.messaging_account_id, m.template_id, m.phone, m.template_name, m.language,
      m.components, 'scheduled', $1::timestamptz + interval '${AUTO_RETRY_DELAY}', coalesce(m.timezone, 'UTC'), false, 1, m.id,
      m.campaign_id, m.conversation_category, m.cost, m.currency, $1::timestamptz, m.template_version, m.client_reference,
      m.metadata, m.valid_until, m.max_cost, m.expect, m.api_key_id
    FROM failed JOIN message_logs m USING (id)
    WHERE failed.error ->> 'code' = '${MARKETING_CAP}' AND m.auto_retry_on_frequency_cap
      AND (m.valid_until <= $1::timestamptz + interval '${AUTO_RETRY_DELAY}') IS NOT TRUE
      AND (SELECT true FROM message_retries r WHERE r.retry_of = m.id LIMIT 1) IS NULL
    RETURNING *
  ), retry_waits AS (
    INSERT INTO outbox (message_log_id, tenant_id, messaging_account_id, template_id, category, due_at, campaign_id, created_at,
      valid_until)
    SELECT id, tenant_id, messaging_account_id, template_id, conversation_category, scheduled_at, campaign_id, created_at,
      valid_until
    FROM retried
  ), ${keepOptOuts(`(
        SELECT m.tenant_id, m.phone, 'marketing' AS scope, 'provider' AS source, '${STOPPED_MARKETING}' AS reason,
          ${failedAt} AS created_at
        FROM failed JOIN message_logs m USING (id) WHERE failed.error ->> 'code' = '${STOPPED_MARKETING}') stopped`)},
  retry_charged AS (
    INSERT INTO ledger_entries (tenant_id, message_log_id, kind, amount, currency, created_at)
    SELECT tenant_id, id, 'charge', cost, currency, $1::timestamptz FROM retried
  ), spending AS (${noteSpending(`
        SELECT m.id, m.tenant_id, m.messaging_account_id, m.api_key_id, m.currency, m.created_at, -m.cost AS amount
        FROM failed JOIN message_logs m USING (id)
        UNION ALL SELECT id, tenant_id, messaging_account_id, api_key_id, currency, created_at, cost FROM retried${
          charged ? `\n        UNION ALL ${charged}` : ''
        }`)}
  ), told AS (${tellMessages(`${others ? `${others}\n        UNION ALL ` : ''}
        SELECT 4 AS place, 'message.failed' AS type, tenant_id, id, jsonb_build_object('error', error,
          'provider_message_id', provider_message_id) AS data FROM failed
        UNION ALL SELECT 5, 'message.retried', tenant_id, retry_of, jsonb_build_object('retry_message_log_id', id,
          'retry_at', scheduled_at) FROM retried
        UNION ALL SELECT 6, 'message.accepted', tenant_id, id, NULL FROM retried`)}
  )`;

/**
 * Fails what waits, with all that a failure brings with it. Expects a CTE `chosen (id, …)`, its entries in the outbox locked.
 * @param error SQL of the error, from a row `t` of `chosen`
 */
export const failWaiting = (error: string) => `
    taken AS (
      DELETE FROM outbox o USING chosen c WHERE o.message_log_id = c.id RETURNING c.*, o.attempts
    ), failed AS (
      UPDATE message_logs m SET status = 'failed', failed_at = $1::timestamptz, attempts = t.attempts, error = ${error}
      FROM taken t WHERE m.id = t.id
      RETURNING m.id, m.tenant_id, m.error, m.provider_message_id
    ), event AS (
      INSERT INTO message_events (message_log_id, event, occurred_at) SELECT id, 'failed', $1::timestamptz FROM failed
    ), ${failureEffects()}`;

/**
 * Notes what was sent long after it was accepted: all else is found by when that was (numbers/portfolio-use.sql.ts).
 * @param sent a table of rows with `id, tenant_id, created_at, sent_at`, with or without a condition
 */
export const noteLate = (sent: string) => `
      INSERT INTO late_sends (tenant_id, sent_at, message_log_id)
      SELECT s.tenant_id, s.sent_at, s.id FROM (SELECT * FROM ${sent}) s
      WHERE s.sent_at - s.created_at > interval '1 hour' ON CONFLICT DO NOTHING`;

/**
 * What a cancellation brings with it, its event included. Expects a CTE `canceled (id, tenant_id, cost, currency,
 * messaging_account_id, api_key_id, created_at)`.
 */
export const CANCEL_EFFECTS = `
  refunded AS (
    INSERT INTO ledger_entries (tenant_id, message_log_id, kind, amount, currency, created_at)
    SELECT tenant_id, id, 'refund', cost, currency, $1::timestamptz FROM canceled
  ), spending AS (${noteSpending('SELECT *, -cost AS amount FROM canceled')}
  ), event AS (
    INSERT INTO message_events (message_log_id, event, occurred_at)
    SELECT id, 'canceled', $1::timestamptz FROM canceled
  ), told AS (${tellMessages(`
        SELECT 1 AS place, 'message.canceled' AS type, tenant_id, id, NULL::jsonb AS data FROM canceled`)}
  )`;
