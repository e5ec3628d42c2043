import type { Statement } from '../database/database.js';
import { tellMessages } from '../events/tell.sql.js';
import { failureEffects, IS_CLAIMED, LOCKED, noteLate, tellOf } from '../messages/message-effects.sql.js';

/* The arrows of messages that are under way: what a call to the provider has come to. `$1` is the service's time. */

/** Whether the answer is to the last attempt of a message that may have ended meanwhile. */
const FITS = `(a.is_taken OR (m.attempts = a.attempt AND m.status <> 'canceled'))`;

/**
 * sending → sent, with the provider's id; also from queued, when the answer comes after its claim was given up. A
 * receipt that came before the answer has moved the row further: then only the id is added. An answer to an earlier
 * attempt than the row's is kept as an event and changes nothing. `applied` is false for it, and also where the row has
 * another provider's id by now: of a copy that was sent before this one.
 */
export const RECORD_SENT: Statement = {
  name: 'message_record_sent',
  text: `
    WITH answer AS MATERIALIZED (
      SELECT * FROM json_to_recordset($2) AS a(ordinal integer, id bigint, attempt integer,
        provider_message_id text, details jsonb)
    ), ${LOCKED}, taken AS (
      DELETE FROM outbox o USING answer a JOIN locked USING (id)
      WHERE o.message_log_id = a.id AND o.attempts = a.attempt
      RETURNING a.id, a.attempt
    ), logged AS (
      -- By its id alone: a receipt that has just moved the row may be newer than what this statement began with.
      UPDATE message_logs m SET
        status = CASE WHEN a.is_taken THEN 'sent' ELSE m.status END,
        attempts = CASE WHEN a.is_taken THEN a.attempt ELSE m.attempts END,
        sent_at = CASE WHEN ${FITS} THEN coalesce(m.sent_at, $1::timestamptz) ELSE m.sent_at END,
        provider_message_id = CASE WHEN ${FITS} THEN coalesce(m.provider_message_id, a.provider_message_id)
          ELSE m.provider_message_id END
      FROM (
        -- One for each row, as an answer to an earlier attempt may come with that to the last one.
        SELECT DISTINCT ON (id) answer.*, taken.id IS NOT NULL AS is_taken
        FROM answer LEFT JOIN taken USING (id, attempt) ORDER BY id, attempt DESC
      ) a
      WHERE m.id = a.id
      RETURNING m.id, m.tenant_id, m.created_at, m.sent_at, m.attempts AS attempt, m.status <> 'canceled' AS fits,
        coalesce(m.provider_message_id = a.provider_message_id, true) AS only_copy, a.is_taken
    ), updated AS MATERIALIZED (
      SELECT id, attempt, only_copy FROM logged WHERE fits
    ), late AS (
      ${noteLate('logged')}
    ), told AS (${tellMessages(`
        SELECT 1 AS place, 'message.sent' AS type, tenant_id, id, NULL::jsonb AS data FROM logged WHERE is_taken`)}
    ), event AS (
      INSERT INTO message_events (message_log_id, event, occurred_at, details)
      SELECT a.id, CASE WHEN u.id IS NULL THEN 'late_answer' ELSE 'sent' END, $1::timestamptz, a.details
      FROM answer a LEFT JOIN updated u USING (id, attempt)
    )
    SELECT u.id IS NOT NULL AND u.only_copy AS applied FROM answer a LEFT JOIN updated u USING (id, attempt)
    ORDER BY a.ordinal`,
};

/**
 * sending → queued for a later try, when the provider refused the attempt for now. Recorded once more, because the
 * first time the connection was lost, it changes nothing.
 */
export const RECORD_RETRY: Statement = {
  name: 'message_record_retry',
  text: `
    WITH answer AS MATERIALIZED (
      SELECT * FROM json_to_recordset($2) AS a(ordinal integer, id bigint, attempt integer, due_at timestamptz, event text,
        details jsonb)
    ), ${LOCKED}, updated AS (
      UPDATE outbox o SET due_at = a.due_at, resolve_at = NULL
      FROM answer a JOIN locked USING (id) WHERE o.message_log_id = a.id AND o.attempts = a.attempt AND ${IS_CLAIMED}
      RETURNING a.id
    ), repeated AS (
      -- By its event, as the message may have been claimed again meanwhile; for each row, by the index.
      SELECT a.id FROM answer a WHERE (
        SELECT true FROM message_events e
        WHERE e.message_log_id = a.id AND e.event = a.event AND e.details = a.details LIMIT 1)
    ), event AS (
      INSERT INTO message_events (message_log_id, event, occurred_at, details)
      SELECT a.id, CASE WHEN u.id IS NULL THEN 'late_answer' ELSE a.event END, $1::timestamptz, a.details
      FROM answer a LEFT JOIN updated u USING (id) LEFT JOIN repeated r USING (id) WHERE r.id IS NULL
    )
    SELECT coalesce(u.id, r.id) IS NOT NULL AS applied
    FROM answer a LEFT JOIN updated u USING (id) LEFT JOIN repeated r USING (id) ORDER BY a.ordinal`,
};

/** sending → sending, no answer: the row is decided when its window ends, if no receipt has done so before. */
export const RECORD_UNKNOWN: Statement = {
  name: 'message_record_unknown',
  text: `
    WITH answer AS MATERIALIZED (
      SELECT * FROM json_to_recordset($2) AS a(ordinal integer, id bigint, attempt integer, resolve_at timestamptz, details jsonb)
    ), ${LOCKED}, updated AS (
      UPDATE outbox o SET resolve_at = a.resolve_at
      FROM answer a JOIN locked USING (id) WHERE o.message_log_id = a.id AND o.attempts = a.attempt AND ${IS_CLAIMED}
      RETURNING a.id
    ), event AS (
      INSERT INTO message_events (message_log_id, event, occurred_at, details)
      SELECT a.id, 'outcome_unknown', $1::timestamptz, a.details FROM answer a
    )
    SELECT u.id IS NOT NULL AS applied FROM answer a LEFT JOIN updated u USING (id) ORDER BY a.ordinal`,
};

/**
 * sending → failed, with refund and auto-retry; recorded once more, it changes nothing. `calls` is how many there were,
 * where none was made for this attempt.
 */
export const RECORD_FAILED: Statement = {
  name: 'message_record_failed',
  text: `
    WITH answer AS MATERIALIZED (
      SELECT * FROM json_to_recordset($2) AS a(ordinal integer, id bigint, attempt integer, calls integer, error jsonb)
    ), ${LOCKED}, taken AS (
      DELETE FROM outbox o USING answer a JOIN locked USING (id)
      WHERE o.message_log_id = a.id AND o.attempts = a.attempt AND ${IS_CLAIMED} RETURNING a.*
    ), failed AS (
      UPDATE message_logs m SET status = 'failed', failed_at = $1::timestamptz, error = a.error,
        attempts = coalesce(a.calls, a.attempt)
      FROM taken a WHERE m.id = a.id
      RETURNING m.id, m.tenant_id, m.error, m.provider_message_id
    ), repeated AS (
      SELECT m.id FROM answer a JOIN message_logs m USING (id)
      WHERE m.attempts = coalesce(a.calls, a.attempt) AND m.status = 'failed'
    ), event AS (
      INSERT INTO message_events (message_log_id, event, occurred_at, details)
      SELECT a.id, CASE WHEN f.id IS NULL THEN 'late_answer' ELSE 'failed' END, $1::timestamptz,
        jsonb_build_object('error', a.error)
      FROM answer a LEFT JOIN failed f USING (id) LEFT JOIN repeated r USING (id) WHERE r.id IS NULL
    ), ${failureEffects()}
    SELECT coalesce(f.id, r.id) IS NOT NULL AS applied
    FROM answer a LEFT JOIN failed f USING (id) LEFT JOIN repeated r USING (id) ORDER BY a.ordinal`,
};

/**
 * sending → queued, as if it had not been claimed: no call was made for it, its turn comes at `due_at`. A release whose
 * answer was lost is tried again and must not touch a later claim: by then the row has that `due_at` already.
 */
export const RELEASE: Statement = {
  name: 'message_release',
  text: `
    WITH answer AS MATERIALIZED (
      SELECT * FROM json_to_recordset($2) AS a(ordinal integer, id bigint, attempt integer, due_at timestamptz)
    ), ${LOCKED}, updated AS (
      UPDATE outbox o SET attempts = o.attempts - 1, resolve_at = NULL,
        first_attempt_at = CASE WHEN o.attempts > 1 THEN o.first_attempt_at END,
        due_at = greatest(a.due_at, $1::timestamptz)
      FROM answer a JOIN locked USING (id)
      WHERE o.message_log_id = a.id AND o.attempts = a.attempt AND ${IS_CLAIMED} AND o.due_at < a.due_at
      RETURNING o.message_log_id AS id
    )
    SELECT u.id IS NOT NULL AS applied FROM answer a LEFT JOIN updated u USING (id) ORDER BY a.ordinal`,
};

/** Whether the message has been sent again as often as it may be ($7), for want of an answer and of a receipt. */
const NO_RESEND_LEFT = `(
          SELECT count(*) FROM message_events e WHERE e.message_log_id = o.message_log_id AND e.event = 'sent_again') >= $7::integer`;

/**
 * Whether receipts of the message's business account came all through its window and after it. Not known where its number
 * has moved since its first try: receipts of that come under the former account.
 */
const RECEIPTS_CAME = `NOT EXISTS (
          SELECT FROM number_moves v
          WHERE v.messaging_account_id = o.messaging_account_id AND v.moved_at >= o.first_attempt_at)
        AND EXISTS (
          SELECT FROM messaging_accounts n JOIN business_accounts b ON b.id = n.business_account_id
          WHERE n.id = o.messaging_account_id AND b.receipts_seen_until >= o.resolve_at
            AND b.receipts_seen_since <= o.resolve_at - make_interval(secs => $6::double precision))`;

/**
 * sending → queued | failed, for rows whose outcome stayed unknown until their window ($6, in seconds) ended. They are
 * sent again, or failed where the policy ($2) says so, where no resend is left, or where their time is over: $3 seconds
 * since a code was wanted, $4 since the first try of any other, or their `valid_until`. Not those that the caller itself has under way ($5):
 * their answer may still come, whatever the clock says.
 *
 * The absence of a receipt means something only where receipts are heard. So a row waits while the oldest delivery in the
 * inbox had come before its window ended; while webhooks could not be stored for a whole window without a gap, by the
 * database's clock; and until receipts of its own business account have come all through its window and after it. Where
 * an account has none to hear, as it sends little, the row waits two windows more.
 */
export const RESOLVE_UNKNOWN: Statement = {
  name: 'message_resolve_unknown',
  text: `
    WITH inbox AS MATERIALIZED (
      SELECT min(next_try_at) AS heard_until FROM webhook_inbox WHERE processed_at IS NULL AND parked_at IS NULL
    ), candidate AS MATERIALIZED (
      SELECT o.message_log_id AS id, $2 = 'fail' OR ${NO_RESEND_LEFT} OR (o.valid_until <= $1::timestamptz) IS TRUE
        OR $1::timestamptz > CASE WHEN o.category = 'AUTHENTICATION'
          THEN coalesce(m.scheduled_at, m.created_at) + make_interval(secs => $3::double precision)
          ELSE coalesce(o.first_attempt_at, m.scheduled_at, m.created_at) + make_interval(secs => $4::double precision)
        END AS give_up
      FROM outbox o JOIN message_logs m ON m.id = o.message_log_id
      WHERE o.resolve_at <= least($1::timestamptz, (SELECT heard_until FROM inbox)) AND o.message_log_id <> ALL($5::bigint[])
        AND NOT EXISTS (SELECT FROM webhook_hearing WHERE heard_until < now() - interval '10 seconds'
          OR heard_since > now() - make_interval(secs => $6::double precision))
        AND (o.resolve_at <= $1::timestamptz - make_interval(secs => 2 * $6::double precision) OR ${RECEIPTS_CAME})
      ORDER BY o.resolve_at LIMIT 500
    ), undecided AS MATERIALIZED (
      -- By a look of its own: see LOCK_TOLD.
      SELECT c.* FROM outbox o JOIN candidate c ON c.id = o.message_log_id WHERE (o.resolve_at <= $1::timestamptz) IS TRUE
      FOR UPDATE OF o SKIP LOCKED
    ), requeued AS (
      UPDATE outbox o SET due_at = $1::timestamptz, resolve_at = NULL
      FROM undecided u WHERE o.message_log_id = u.id AND NOT u.give_up
      RETURNING u.id, o.messaging_account_id
    ), taken AS (
      DELETE FROM outbox o USING undecided u WHERE o.message_log_id = u.id AND u.give_up RETURNING u.id, o.attempts
    ), failed AS (
      UPDATE message_logs m SET status = 'failed', failed_at = $1::timestamptz, attempts = t.attempts, error = jsonb_build_object(
        'code', NULL, 'title', 'No answer from the provider', 'details', format(
          'The provider may have taken the message, but neither answered nor sent a receipt. Tries: %s.', t.attempts))
      FROM taken t WHERE m.id = t.id
      RETURNING m.id, m.tenant_id, m.error, m.provider_message_id
    ), event AS (
      INSERT INTO message_events (message_log_id, event, occurred_at, details)
      SELECT id, 'sent_again', $1::timestamptz, NULL::jsonb FROM requeued
      UNION ALL SELECT id, 'failed', $1::timestamptz, NULL FROM failed
    ), ${failureEffects()}
    SELECT (SELECT count(*) FROM requeued) AS requeued,
      (SELECT coalesce(json_agg(id), '[]') FROM failed) AS failed,
      ${tellOf('requeued')}`,
};
