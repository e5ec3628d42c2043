import type { Statement } from '../../database/database.js';
import { failureEffects, noteLate } from '../message-effects.sql.js';
import { messagesToldAs } from './provider-id.sql.js';

/**
 * The last digits of a recipient's number that have to be the same in a receipt as in its message: the provider writes the
 * numbers of some countries (Argentina, Brazil, Mexico) with another digit in front of them than the caller.
 */
export const DIGITS_THAT_FIT = 8;

/** Each status that a message has passed, in the order of its life: a receipt may jump, and `read` come without `delivered`. */
const PASSED = `
        SELECT 1 AS place, 'message.sent' AS type, tenant_id, id, NULL::jsonb AS data FROM updated
        WHERE old_status IN ('scheduled', 'queued', 'sending') AND new_status IN ('sent', 'delivered', 'read')
        UNION ALL SELECT 2, 'message.delivered', tenant_id, id, NULL FROM updated
        WHERE old_status NOT IN ('delivered', 'read') AND new_status IN ('delivered', 'read')
        UNION ALL SELECT 3, 'message.read', tenant_id, id, NULL FROM updated
        WHERE old_status <> 'read' AND new_status = 'read'`;

/** By the provider's clock: the receipt may come days later. */
const FAILED_AT = 'least(failed.failed_at, $1::timestamptz)';

/** What is delivered after all, though it had been given up and refunded. */
const CHARGED_AGAIN = `change c JOIN message_logs m USING (id)
      WHERE c.old_status IN ('failed', 'canceled') AND c.new_status IN ('delivered', 'read')`;

const RECHARGED = `
        SELECT m.id, m.tenant_id, m.messaging_account_id, m.api_key_id, m.currency, m.created_at, m.cost
        FROM ${CHARGED_AGAIN}`;

/**
 * Receipts move a message forward only: waiting | sending → sent → delivered → read. `failed` counts before
 * delivery only; `delivered` or `read` after a failure or cancellation wins and charges again. Order and
 * repetition within and across batches make no difference. Every receipt is kept as an event, an identical one
 * once; the stream is told of each status that the message passes. Rows are locked in the order of their ids, so that two batches cannot block each other.
 *
 * A receipt finds its message by the tag that we sent along, else by the provider's message id, and only within
 * the business account ($2: business_account_id) whose signature it came under: that of the message's number, or one
 * that the number has left not long ago. What else it tells has to fit: the
 * provider's id where the message has one, else sender and recipient. A tag of the form that versions without an
 * installation wrote (`old_tag`) is believed for their messages alone. One with another provider's id that fits by
 * sender and recipient is for another copy of a message that was sent twice: it is kept, and moves nothing.
 */
export const APPLY_RECEIPTS: Statement = {
  name: 'message_apply_receipts',
  timeout: 15_000, // there may be thousands in one batch
  text: `
    WITH receipt AS MATERIALIZED (
      SELECT * FROM json_to_recordset($2) AS r(ordinal integer, business_account_id uuid, message_log_id bigint,
        old_tag boolean, phone_number_id text, recipient text,
        provider_message_id text, status text, occurred_at timestamptz, error jsonb, details jsonb)
    ), candidate AS (
      SELECT r.*, m.id, m.messaging_account_id FROM receipt r JOIN message_logs m ON m.id = r.message_log_id
      WHERE NOT r.old_tag OR m.created_at < (SELECT created_at FROM installation)
      UNION ALL
      SELECT r.*, m.id, m.messaging_account_id
      FROM receipt r JOIN message_logs m ON m.id = ANY(ARRAY${messagesToldAs('r.provider_message_id')})
        AND m.provider_message_id = r.provider_message_id
      WHERE r.message_log_id IS NULL
    ), ours AS MATERIALIZED (
      -- By a subquery: the planner takes a join for so selective that it would do all that follows row by row.
      SELECT *, (SELECT c.phone_number_id IS NULL OR c.phone_number_id = n.phone_number_id OR EXISTS (
            SELECT FROM number_moves v WHERE v.messaging_account_id = n.id
              AND v.from_phone_number_id = c.phone_number_id AND v.receipts_until > $1::timestamptz)
        FROM messaging_accounts n WHERE n.id = c.messaging_account_id
          AND (n.business_account_id = c.business_account_id OR EXISTS (
            SELECT FROM number_moves v WHERE v.messaging_account_id = n.id
              AND v.from_business_account_id = c.business_account_id AND v.receipts_until > $1::timestamptz))) AS from_number
      FROM candidate c
    ), waiting AS MATERIALIZED (
      SELECT message_log_id AS id, attempts, resolve_at IS NOT NULL AS is_claimed FROM outbox
      WHERE message_log_id IN (SELECT id FROM ours WHERE from_number IS NOT NULL) ORDER BY message_log_id FOR UPDATE
    ), locked AS MATERIALIZED (
      -- After the outbox, as every arrow that changes both.
      SELECT id, status, phone, provider_message_id, tenant_id, messaging_account_id, template_id, sent_at IS NULL AS unsent
      FROM message_logs
      WHERE id IN (SELECT id FROM ours WHERE from_number IS NOT NULL) AND (SELECT count(*) FROM waiting) IS NOT NULL
      ORDER BY id FOR UPDATE
    ), compared AS MATERIALIZED (
      SELECT o.*, coalesce(l.provider_message_id <> o.provider_message_id, false) AS other_copy,
        coalesce(l.provider_message_id = o.provider_message_id, false)
          OR (o.from_number AND right(coalesce(o.recipient, l.phone), ${DIGITS_THAT_FIT}) = right(l.phone, ${DIGITS_THAT_FIT})) AS fits
      -- Each by itself: another receipt of the batch, under the right account, has locked the same row.
      FROM ours o JOIN locked l USING (id) WHERE o.from_number IS NOT NULL
    ), found AS MATERIALIZED (
      SELECT * FROM compared WHERE fits
    ), folded AS (
      SELECT id, min(provider_message_id) AS provider_message_id,
        min(occurred_at) AS first_at,
        min(occurred_at) FILTER (WHERE status = 'delivered') AS delivered_at,
        min(occurred_at) FILTER (WHERE status = 'read') AS read_at,
        bool_or(status = 'sent') AS sent,
        bool_or(status = 'failed') AS failed,
        min(occurred_at) FILTER (WHERE status = 'failed') AS failed_at,
        (array_agg(error ORDER BY ordinal) FILTER (WHERE status = 'failed'))[1] AS error
      FROM found WHERE NOT other_copy GROUP BY id
    ), change AS MATERIALIZED (
      SELECT f.*, CASE WHEN w.is_claimed THEN 'sending' ELSE l.status END AS old_status, w.attempts, l.unsent,
        CASE
          WHEN f.read_at IS NOT NULL OR l.status = 'read' THEN 'read'
          WHEN f.delivered_at IS NOT NULL OR l.status = 'delivered' THEN 'delivered'
          WHEN l.status IN ('failed', 'canceled') THEN l.status
          WHEN f.failed THEN 'failed'
          WHEN f.sent THEN 'sent'
          WHEN w.is_claimed THEN 'sending'
          ELSE l.status
        END AS new_status
      FROM locked l JOIN folded f USING (id) LEFT JOIN waiting w USING (id)
    ), ended AS (
      DELETE FROM outbox o USING change c
      WHERE o.message_log_id = c.id AND c.new_status NOT IN ('scheduled', 'queued', 'sending')
    ), updated AS (
      UPDATE message_logs m SET
        status = CASE WHEN c.new_status = 'sending' THEN m.status ELSE c.new_status END,
        provider_message_id = coalesce(m.provider_message_id, c.provider_message_id),
        sent_at = coalesce(m.sent_at, CASE WHEN c.new_status IN ('sent', 'delivered', 'read') THEN c.first_at END),
        delivered_at = coalesce(m.delivered_at, c.delivered_at, c.read_at),
        read_at = coalesce(m.read_at, c.read_at),
        failed_at = CASE WHEN c.new_status = 'failed' THEN coalesce(m.failed_at, $1::timestamptz) END,
        canceled_at = CASE WHEN c.new_status = 'canceled' THEN m.canceled_at END,
        error = CASE WHEN c.new_status = 'failed' THEN coalesce(m.error, c.error) END,
        attempts = CASE WHEN c.new_status IN ('scheduled', 'queued', 'sending') THEN m.attempts
          ELSE coalesce(c.attempts, m.attempts) END
      FROM change c
      WHERE m.id = c.id
        AND (c.new_status <> m.status OR m.provider_message_id IS NULL OR m.sent_at IS NULL
          OR (m.delivered_at IS NULL AND c.delivered_at IS NOT NULL))
      RETURNING m.id, c.unsent, m.tenant_id, m.sent_at, m.created_at, m.error, m.provider_message_id,
        c.failed_at, c.old_status, c.new_status
    ), late AS (
      ${noteLate('updated WHERE unsent')}
    ), event AS (
      INSERT INTO message_events (message_log_id, event, occurred_at, details)
      -- Without the provider's id where the message has it: it would stand in every one.
      SELECT DISTINCT ON (id, f.status, occurred_at) id, f.status, occurred_at,
        CASE WHEN l.provider_message_id = f.provider_message_id
          THEN details - 'provider_message_id'::text ELSE details END
      FROM found f JOIN locked l USING (id)
      WHERE NOT EXISTS (SELECT FROM message_events e WHERE e.message_log_id = f.id AND e.event = f.status
        AND e.occurred_at = f.occurred_at AND e.details ->> 'source' = 'receipt')
    ), recharged AS (
      INSERT INTO ledger_entries (tenant_id, message_log_id, kind, ordinal, amount, currency, created_at)
      SELECT m.tenant_id, m.id, 'charge', 2, m.cost, m.currency, $1::timestamptz FROM ${CHARGED_AGAIN}
    ), failed AS (
      SELECT id, tenant_id, error, provider_message_id, failed_at FROM updated
      WHERE new_status = 'failed' AND old_status <> 'failed'
    ), ${failureEffects({ failedAt: FAILED_AT, others: PASSED, charged: RECHARGED })}
    SELECT r.ordinal, f.id, c.old_status, c.new_status, coalesce(f.other_copy, false) AS other_copy,
      l.tenant_id, l.messaging_account_id, l.template_id
    FROM receipt r LEFT JOIN found f USING (ordinal) LEFT JOIN change c USING (id) LEFT JOIN locked l USING (id)
    ORDER BY r.ordinal`,
};
