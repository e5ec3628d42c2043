import type { Statement } from '../database/database.js';
import type { HoldScope } from './domain/outcome.js';

/*
 * The statements of message-log.store.ts, one for each arrow of the life of a message (docs/architecture.md).
 * Each is atomic, takes a batch as JSON where it can, and names in its WHERE the statuses it leaves from: a row
 * that is elsewhere is not touched. `$1` is the service's time in all of them.
 */

/** Milliseconds: what is due so soon is told to the workers when it is accepted, as it may be due before they look. */
export const SOON = 10_000;

/** Tells the workers of the numbers in a CTE with `messaging_account_id`; of none, it tells nothing. */
export const tellOf = (rows: string) => `(
        SELECT pg_notify('message_due', string_agg(DISTINCT messaging_account_id::text, ',')) FROM ${rows}
        HAVING count(*) > 0)`;

/** The provider's code for a reached marketing cap. */
const MARKETING_CAP = 131049;

/** 24 hours, after which the provider allows another try, and a margin of two. */
const AUTO_RETRY_DELAY = '26 hours';

/**
 * What the failure of a message brings with it, in the same statement: its refund and, after 131049 with the
 * opt-in, its one retry, charged as any message. Expects a CTE `failed (id, error_code)`, the code as text, whatever it
 * is; the unique index on retry_of forbids a second retry whatever happens.
 */
const FAILURE_EFFECTS = `
  refunded AS (
    INSERT INTO ledger_entries (tenant_id, message_log_id, kind, amount, currency, created_at)
    SELECT m.tenant_id, m.id, 'refund', m.cost, m.currency, $1::timestamptz FROM failed JOIN message_logs m USING (id)
  ), retried AS (
    INSERT INTO message_logs (tenant_id, messaging_account_id, template_id, phone, template_name, language,
      components, status, due_at, scheduled_at, timezone, auto_retry_on_frequency_cap, retry_count, retry_of,
      campaign_id, conversation_category, cost, currency, created_at)
    SELECT m.tenant_id, m.messaging_account_id, m.template_id, m.phone, m.template_name, m.language,
      m.components, 'scheduled', $1::timestamptz + interval '${AUTO_RETRY_DELAY}',
      $1::timestamptz + interval '${AUTO_RETRY_DELAY}', coalesce(m.timezone, 'UTC'), false, 1, m.id,
      m.campaign_id, m.conversation_category, m.cost, m.currency, $1::timestamptz
    FROM failed JOIN message_logs m USING (id)
    WHERE failed.error_code = '${MARKETING_CAP}' AND m.auto_retry_on_frequency_cap
    ON CONFLICT (retry_of) WHERE retry_of IS NOT NULL DO NOTHING
    RETURNING id, tenant_id, cost, currency
  ), retry_charged AS (
    INSERT INTO ledger_entries (tenant_id, message_log_id, kind, amount, currency, created_at)
    SELECT tenant_id, id, 'charge', cost, currency, $1::timestamptz FROM retried
  )`;

/**
 * (none) → queued | scheduled. Inserts the messages with their charges and idempotency keys. Refuses, item by
 * item: `template_changed` when the template is no longer as the caller's cache had it, or no longer of the number's
 * business account, `key_taken` when the idempotency key belongs to another message. A second message for a row of a campaign is an error, by the unique
 * index: ON CONFLICT would cost every message a second write. Wakes the workers for what is due now or soon.
 */
export const ACCEPT: Statement = {
  name: 'message_accept',
  text: `
    WITH item AS MATERIALIZED (
      SELECT nextval('message_logs_id_seq') AS id, i.* FROM json_to_recordset($2) AS i(
        ordinal integer, tenant_id uuid, messaging_account_id integer, template_id integer,
        template_revision integer, phone text, template_name text, language text, components jsonb,
        due_at timestamptz, scheduled_at timestamptz, timezone text, auto_retry boolean, category text,
        cost numeric, currency text, idempotency_key text, body_hash text, campaign_id integer, campaign_row integer,
        accept_token uuid)
    ), sendable AS MATERIALIZED (
      SELECT item.* FROM item JOIN templates t ON t.id = item.template_id
        JOIN messaging_accounts n ON n.id = item.messaging_account_id AND n.business_account_id = t.business_account_id
      WHERE t.status = 'APPROVED' AND t.removed_at IS NULL AND t.revision = item.template_revision
    ), keyed AS (
      INSERT INTO idempotency_keys (tenant_id, key, body_hash, message_log_id, created_at)
      SELECT tenant_id, idempotency_key, body_hash, id, $1::timestamptz FROM sendable
      WHERE idempotency_key IS NOT NULL ORDER BY tenant_id, idempotency_key
      ON CONFLICT DO NOTHING RETURNING message_log_id
    ), accepted AS (
      INSERT INTO message_logs (id, tenant_id, messaging_account_id, template_id, phone, template_name, language,
        components, status, due_at, scheduled_at, timezone, auto_retry_on_frequency_cap, conversation_category,
        cost, currency, created_at, campaign_id, campaign_row, accept_token)
      SELECT id, tenant_id, messaging_account_id, template_id, phone, template_name, language,
        components, CASE WHEN due_at > $1::timestamptz THEN 'scheduled' ELSE 'queued' END, due_at, scheduled_at, timezone,
        auto_retry, category, cost, currency, $1::timestamptz, campaign_id, campaign_row, accept_token
      FROM sendable
      WHERE idempotency_key IS NULL OR id IN (SELECT message_log_id FROM keyed)
      RETURNING id, tenant_id, messaging_account_id, due_at, cost, currency
    ), charged AS (
      INSERT INTO ledger_entries (tenant_id, message_log_id, kind, amount, currency, created_at)
      SELECT tenant_id, id, 'charge', cost, currency, $1::timestamptz FROM accepted
    )
    SELECT item.ordinal, item.id,
      CASE WHEN sendable.id IS NULL THEN 'template_changed'
        WHEN accepted.id IS NULL THEN 'key_taken' ELSE 'accepted' END AS outcome,
      ${tellOf(`accepted WHERE due_at <= $1::timestamptz + interval '${SOON} milliseconds'`)}
    FROM item LEFT JOIN sendable USING (id) LEFT JOIN accepted USING (id)
    ORDER BY item.ordinal`,
};

/** A probe is chosen among so many of the oldest messages. */
const PROBE_CHOICE = 20;

/** When the last hold on a target ended, infinity while there is one: the last entry of an index. */
const endOfLastHold = (scope: HoldScope, target: string) => `(
            SELECT coalesce(h.lifted_at, 'infinity') FROM holds h
            WHERE h.scope = '${scope}' AND h.target_id = ${target} ORDER BY h.lifted_at DESC LIMIT 1)`;

/**
 * Whether that template is of another business account than the number ($2): its message is from before a move, and not
 * bound to a template of the new account yet.
 */
const isStray = (template: string) => `(
        EXISTS (SELECT FROM number_moves v WHERE v.messaging_account_id = $2)
        AND (SELECT t.business_account_id FROM templates t WHERE t.id = ${template})
          <> (SELECT n.business_account_id FROM messaging_accounts n WHERE n.id = $2))`;

/**
 * queued | scheduled → sending, for what is due on one number, oldest first. Two claims never take the same row.
 * Counts the attempt before it is made; `resolve_at` ($4) is when a claim without an outcome is decided. What has a
 * template on hold is put under that hold instead, but for one message as a probe when it is time for one ($5:
 * when the next is). While the number or its business account is on hold, only CLAIM_PROBE claims: permits that were
 * given before the hold take nothing.
 *
 * `first_attempt_at` is the first try, or the first after the last hold on the number, business account or template: the
 * start of its time for retries. It is compared with the holds here, where few messages have been tried before, since a
 * hold on a number may keep a million waiting and must not write to each.
 *
 * A claim tells the number's business account and id at the provider: the call is made by these, whatever the caches say,
 * and goes on by them when the number moves.
 */
const claimOf = (name: string, due: string): Statement => ({
  name,
  text: `
    WITH due AS MATERIALIZED (${due}
    ), hold AS MATERIALIZED (
      SELECT h.id, d.id AS message_id FROM due d
      JOIN holds h ON h.scope = 'template' AND h.target_id = d.template_id::text AND h.lifted_at IS NULL
        AND ${isStray('d.template_id')} IS NOT TRUE -- that hold says nothing of the new one
    ), probed AS (
      UPDATE holds SET next_probe_at = $5
      WHERE id = ANY(ARRAY(SELECT id FROM hold)) AND next_probe_at <= $1::timestamptz RETURNING id
    ), probe AS MATERIALIZED (
      SELECT min(message_id) AS message_id FROM hold WHERE id IN (SELECT id FROM probed) GROUP BY id
    ), held AS (
      UPDATE message_logs m SET held_by = hold.id FROM hold
      WHERE m.id = hold.message_id AND m.id NOT IN (SELECT message_id FROM probe)
    )
    UPDATE message_logs m SET status = 'sending', attempts = m.attempts + 1, resolve_at = $4,
      first_attempt_at = CASE WHEN m.first_attempt_at IS NULL OR m.first_attempt_at < greatest(
          ${endOfLastHold('number', 'm.messaging_account_id::text')},
          ${endOfLastHold('template', 'm.template_id::text')},
          ${endOfLastHold('business_account', 'n.business_account_id::text')}
        ) THEN $1::timestamptz ELSE m.first_attempt_at END
    FROM due, messaging_accounts n WHERE m.id = due.id AND n.id = $2
      AND (m.id NOT IN (SELECT message_id FROM hold) OR m.id IN (SELECT message_id FROM probe))
    RETURNING m.id IN (SELECT message_id FROM probe) AS probe, m.id, m.tenant_id, m.messaging_account_id,
      n.business_account_id, n.phone_number_id, m.template_id, m.attempts, m.phone, m.template_name, m.language,
      m.components, m.conversation_category, coalesce(m.scheduled_at, m.created_at) AS wanted_at, m.first_attempt_at,
      ${isStray('m.template_id')} AS stray`,
});

export const CLAIM = claimOf(
  'message_claim',
  `
      SELECT id, template_id FROM message_logs
      WHERE waiting AND held_by IS NULL AND messaging_account_id = $2 AND due_at <= $1::timestamptz
        AND NOT EXISTS (
          SELECT FROM holds h JOIN messaging_accounts n ON n.id = $2
          WHERE h.lifted_at IS NULL AND (h.scope, h.target_id) IN
            (('number', n.id::text), ('business_account', n.business_account_id::text)))
      ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED`,
);

/**
 * The same for $3 messages that try the hold on their number: those that were tried least among the oldest, and so not
 * always the one that began the hold, whose own fault it may be.
 */
export const CLAIM_PROBE = claimOf(
  'message_claim_probe',
  `
      SELECT id, template_id FROM (
        SELECT id, template_id, due_at, attempts FROM message_logs
        WHERE waiting AND held_by IS NULL AND messaging_account_id = $2 AND due_at <= $1::timestamptz
        ORDER BY due_at LIMIT ${PROBE_CHOICE} FOR UPDATE SKIP LOCKED
      ) oldest
      ORDER BY attempts, due_at LIMIT $3`,
);

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
    ), updated AS (
      UPDATE message_logs m SET
        status = CASE WHEN m.waiting OR m.status = 'sending' THEN 'sent' ELSE m.status END,
        sent_at = coalesce(m.sent_at, $1::timestamptz),
        provider_message_id = coalesce(m.provider_message_id, a.provider_message_id),
        resolve_at = NULL
      FROM answer a
      WHERE m.id = a.id AND m.attempts = a.attempt AND m.status <> 'canceled'
      RETURNING m.id, coalesce(m.provider_message_id = a.provider_message_id, true) AS only_copy
    ), event AS (
      INSERT INTO message_events (message_log_id, event, occurred_at, details)
      SELECT a.id, CASE WHEN u.id IS NULL THEN 'late_answer' ELSE 'sent' END, $1::timestamptz, a.details
      FROM answer a LEFT JOIN updated u USING (id)
    )
    SELECT u.id IS NOT NULL AND u.only_copy AS applied FROM answer a LEFT JOIN updated u USING (id)
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
    ), updated AS (
      UPDATE message_logs m SET status = 'queued', due_at = a.due_at, resolve_at = NULL
      FROM answer a WHERE m.id = a.id AND m.attempts = a.attempt AND m.status = 'sending'
      RETURNING m.id
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

/**
 * sending → queued, as if it had not been claimed: no call was made for it, its turn comes at `due_at`. A release whose
 * answer was lost is tried again and must not touch a later claim: by then the row has that `due_at` already.
 */
export const RELEASE: Statement = {
  name: 'message_release',
  text: `
    WITH answer AS MATERIALIZED (
      SELECT * FROM json_to_recordset($2) AS a(ordinal integer, id bigint, attempt integer, due_at timestamptz)
    ), updated AS (
      UPDATE message_logs m SET status = 'queued', attempts = m.attempts - 1, resolve_at = NULL,
        first_attempt_at = CASE WHEN m.attempts > 1 THEN m.first_attempt_at END,
        due_at = greatest(a.due_at, $1::timestamptz)
      FROM answer a
      WHERE m.id = a.id AND m.attempts = a.attempt AND m.status = 'sending' AND m.due_at < a.due_at
      RETURNING m.id
    )
    SELECT u.id IS NOT NULL AS applied FROM answer a LEFT JOIN updated u USING (id) ORDER BY a.ordinal`,
};

/**
 * sending → queued for strays that were claimed, as if they had not been, with the template and hold that
 * template-binding.sql.ts has for them. Tried again because its answer was lost, it finds none of them.
 */
export const REBIND: Statement = {
  name: 'message_rebind',
  text: `
    WITH stray AS MATERIALIZED (
      SELECT * FROM json_to_recordset($2) AS s(id bigint, attempt integer, former_id integer, template_id integer,
        hold_id integer)
    ), rebound AS (
      UPDATE message_logs m SET status = 'queued', attempts = m.attempts - 1, resolve_at = NULL,
        first_attempt_at = CASE WHEN m.attempts > 1 THEN m.first_attempt_at END,
        template_id = s.template_id, held_by = s.hold_id, due_at = least(m.due_at, $1::timestamptz)
      FROM stray s
      WHERE m.id = s.id AND m.attempts = s.attempt AND m.status = 'sending' AND m.template_id = s.former_id
      RETURNING m.messaging_account_id
    )
    SELECT (SELECT count(*) FROM rebound) AS rebound, ${tellOf('rebound')}`,
};

/** sending → sending, no answer: the row is decided when its window ends, if no receipt has done so before. */
export const RECORD_UNKNOWN: Statement = {
  name: 'message_record_unknown',
  text: `
    WITH answer AS MATERIALIZED (
      SELECT * FROM json_to_recordset($2) AS a(ordinal integer, id bigint, attempt integer, resolve_at timestamptz, details jsonb)
    ), updated AS (
      UPDATE message_logs m SET resolve_at = a.resolve_at
      FROM answer a WHERE m.id = a.id AND m.attempts = a.attempt AND m.status = 'sending'
      RETURNING m.id
    ), event AS (
      INSERT INTO message_events (message_log_id, event, occurred_at, details)
      SELECT a.id, 'outcome_unknown', $1::timestamptz, a.details FROM answer a
    )
    SELECT u.id IS NOT NULL AS applied FROM answer a LEFT JOIN updated u USING (id) ORDER BY a.ordinal`,
};

/** sending → failed, with refund and auto-retry; recorded once more, it changes nothing. */
export const RECORD_FAILED: Statement = {
  name: 'message_record_failed',
  text: `
    WITH answer AS MATERIALIZED (
      SELECT * FROM json_to_recordset($2) AS a(ordinal integer, id bigint, attempt integer, error jsonb)
    ), failed AS (
      UPDATE message_logs m SET status = 'failed', failed_at = $1::timestamptz, error = a.error, resolve_at = NULL
      FROM answer a WHERE m.id = a.id AND m.attempts = a.attempt AND m.status = 'sending'
      RETURNING m.id, a.error ->> 'code' AS error_code
    ), repeated AS (
      SELECT m.id FROM answer a JOIN message_logs m USING (id)
      WHERE m.attempts = a.attempt AND m.status = 'failed'
    ), event AS (
      INSERT INTO message_events (message_log_id, event, occurred_at, details)
      SELECT a.id, CASE WHEN f.id IS NULL THEN 'late_answer' ELSE 'failed' END, $1::timestamptz,
        jsonb_build_object('error', a.error)
      FROM answer a LEFT JOIN failed f USING (id) LEFT JOIN repeated r USING (id) WHERE r.id IS NULL
    ), ${FAILURE_EFFECTS}
    SELECT coalesce(f.id, r.id) IS NOT NULL AS applied
    FROM answer a LEFT JOIN failed f USING (id) LEFT JOIN repeated r USING (id) ORDER BY a.ordinal`,
};

/** Whether the message has been sent again as often as it may be ($7), for want of an answer and of a receipt. */
const NO_RESEND_LEFT = `(
          SELECT count(*) FROM message_events e WHERE e.message_log_id = m.id AND e.event = 'sent_again') >= $7::integer`;

/**
 * Whether receipts of the message's business account came all through its window and after it. Not known where its number
 * has moved since its first try: receipts of that come under the former account.
 */
const RECEIPTS_CAME = `NOT EXISTS (
          SELECT FROM number_moves v
          WHERE v.messaging_account_id = m.messaging_account_id AND v.moved_at >= m.first_attempt_at)
        AND EXISTS (
          SELECT FROM messaging_accounts n JOIN business_accounts b ON b.id = n.business_account_id
          WHERE n.id = m.messaging_account_id AND b.receipts_seen_until >= m.resolve_at
            AND b.receipts_seen_since <= m.resolve_at - make_interval(secs => $6::double precision))`;

/**
 * sending → queued | failed, for rows whose outcome stayed unknown until their window ($6, in seconds) ended. They are
 * sent again, or failed where the policy ($2) says so, where no resend is left, or where their time is over: $3 seconds
 * since a code was wanted, $4 since the first try of any other. Not those that the caller itself has under way ($5):
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
    ), undecided AS MATERIALIZED (
      SELECT id, $2 = 'fail' OR ${NO_RESEND_LEFT} OR $1::timestamptz > CASE WHEN conversation_category = 'AUTHENTICATION'
          THEN coalesce(scheduled_at, created_at) + make_interval(secs => $3::double precision)
          ELSE coalesce(first_attempt_at, scheduled_at, created_at) + make_interval(secs => $4::double precision)
        END AS give_up
      FROM message_logs m
      WHERE resolve_at <= least($1::timestamptz, (SELECT heard_until FROM inbox)) AND id <> ALL($5::bigint[])
        AND NOT EXISTS (SELECT FROM webhook_hearing WHERE heard_until < now() - interval '10 seconds'
          OR heard_since > now() - make_interval(secs => $6::double precision))
        AND (resolve_at <= $1::timestamptz - make_interval(secs => 2 * $6::double precision) OR ${RECEIPTS_CAME})
      ORDER BY resolve_at LIMIT 500 FOR UPDATE SKIP LOCKED
    ), requeued AS (
      UPDATE message_logs m SET status = 'queued', due_at = $1::timestamptz, resolve_at = NULL
      FROM undecided u WHERE m.id = u.id AND m.status = 'sending' AND NOT u.give_up
      RETURNING m.id, m.messaging_account_id
    ), failed AS (
      UPDATE message_logs m SET status = 'failed', failed_at = $1::timestamptz, resolve_at = NULL, error = jsonb_build_object(
        'code', NULL, 'title', 'No answer from the provider', 'details', format(
          'The provider may have taken the message, but neither answered nor sent a receipt. Tries: %s.', m.attempts))
      FROM undecided u WHERE m.id = u.id AND m.status = 'sending' AND u.give_up
      RETURNING m.id, NULL AS error_code
    ), event AS (
      INSERT INTO message_events (message_log_id, event, occurred_at, details)
      SELECT id, 'sent_again', $1::timestamptz, NULL::jsonb FROM requeued
      UNION ALL SELECT id, 'failed', $1::timestamptz, NULL FROM failed
    ), ${FAILURE_EFFECTS}
    SELECT (SELECT count(*) FROM requeued) AS requeued,
      (SELECT coalesce(json_agg(id), '[]') FROM failed) AS failed,
      ${tellOf('requeued')}`,
};

/**
 * held → claimable again: up to $2 messages that a hold still keeps although it has ended, and the oldest of each hold
 * on a template that may be probed. Wakes the workers. Jumps from one hold that keeps messages to the next by the index
 * on `held_by`; rows that another worker is releasing are skipped.
 */
export const RELEASE_HELD: Statement = {
  name: 'message_release_held',
  text: `
    WITH RECURSIVE keeping (id) AS (
      (SELECT held_by FROM message_logs WHERE held_by IS NOT NULL ORDER BY held_by, due_at LIMIT 1)
      UNION ALL
      SELECT next.held_by FROM keeping k CROSS JOIN LATERAL (
        SELECT held_by FROM message_logs WHERE held_by > k.id ORDER BY held_by, due_at LIMIT 1
      ) next
    ), kept AS MATERIALIZED (
      SELECT m.id FROM keeping JOIN holds h USING (id) CROSS JOIN LATERAL (
        SELECT id FROM (
          SELECT id, due_at, attempts FROM message_logs WHERE held_by = h.id ORDER BY due_at
          LIMIT CASE WHEN h.lifted_at IS NULL THEN ${PROBE_CHOICE} ELSE $2::bigint END
          FOR UPDATE SKIP LOCKED
        ) oldest
        ORDER BY CASE WHEN h.lifted_at IS NULL THEN attempts ELSE 0 END, due_at
        LIMIT CASE WHEN h.lifted_at IS NULL THEN 1 ELSE $2::bigint END
      ) m
      WHERE h.lifted_at IS NOT NULL OR (h.scope = 'template' AND h.next_probe_at <= $1::timestamptz)
      LIMIT $2
    ), released AS (
      UPDATE message_logs m SET held_by = NULL FROM kept WHERE m.id = kept.id RETURNING m.messaging_account_id
    )
    SELECT (SELECT count(*) FROM released) AS released,
      ${tellOf('released')}`,
};

/**
 * queued → failed, with refund, for authentication codes that are older ($2, in seconds) than they are good for: on
 * hold or behind a backlog, they would come too late.
 */
export const EXPIRE: Statement = {
  name: 'message_expire',
  text: `
    WITH expired AS MATERIALIZED (
      SELECT id FROM message_logs
      WHERE waiting AND conversation_category = 'AUTHENTICATION' AND due_at <= $1::timestamptz
        AND coalesce(scheduled_at, created_at) + make_interval(secs => $2::double precision) < $1::timestamptz
      ORDER BY due_at LIMIT 500 FOR UPDATE SKIP LOCKED
    ), failed AS (
      UPDATE message_logs m SET status = 'failed', failed_at = $1::timestamptz, held_by = NULL,
        error = jsonb_build_object('code', NULL, 'title', 'Expired before it could be sent', 'details',
          'An authentication code is of no use after its time; holds and rates kept it from being sent in it.')
      FROM expired e WHERE m.id = e.id AND m.waiting
      RETURNING m.id, NULL AS error_code
    ), event AS (
      INSERT INTO message_events (message_log_id, event, occurred_at) SELECT id, 'failed', $1::timestamptz FROM failed
    ), ${FAILURE_EFFECTS}
    SELECT count(*) AS expired FROM failed`,
};

/** What a cancellation brings with it. Expects a CTE `canceled (id, tenant_id, cost, currency)`. */
const CANCEL_EFFECTS = `
  refunded AS (
    INSERT INTO ledger_entries (tenant_id, message_log_id, kind, amount, currency, created_at)
    SELECT tenant_id, id, 'refund', cost, currency, $1::timestamptz FROM canceled
  ), event AS (
    INSERT INTO message_events (message_log_id, event, occurred_at)
    SELECT id, 'canceled', $1::timestamptz FROM canceled
  )`;

/** queued | scheduled → canceled, with refund. Loses against a claim, wins over a later one. */
export const CANCEL: Statement = {
  name: 'message_cancel',
  text: `
    WITH canceled AS (
      UPDATE message_logs SET status = 'canceled', canceled_at = $1::timestamptz, held_by = NULL
      WHERE id = $2 AND tenant_id = $3 AND waiting
      RETURNING id, tenant_id, cost, currency
    ), ${CANCEL_EFFECTS}
    SELECT id FROM canceled`,
};

/** The same for up to $4 messages of a campaign ($2) of a tenant ($3), its auto-retries included. */
export const CANCEL_OF_CAMPAIGN: Statement = {
  name: 'message_cancel_of_campaign',
  text: `
    WITH chosen AS MATERIALIZED (
      SELECT id FROM message_logs WHERE campaign_id = $2 AND tenant_id = $3 AND waiting
      ORDER BY id LIMIT $4 FOR UPDATE
    ), canceled AS (
      UPDATE message_logs m SET status = 'canceled', canceled_at = $1::timestamptz, held_by = NULL
      FROM chosen WHERE m.id = chosen.id AND m.waiting
      RETURNING m.id, m.tenant_id, m.cost, m.currency
    ), ${CANCEL_EFFECTS}
    SELECT count(*) AS canceled FROM canceled`,
};

/**
 * The last digits of a recipient's number that have to be the same in a receipt as in its message: the provider writes the
 * numbers of some countries (Argentina, Brazil, Mexico) with another digit in front of them than the caller.
 */
const DIGITS_THAT_FIT = 8;

/**
 * Receipts move a message forward only: waiting | sending → sent → delivered → read. `failed` counts before
 * delivery only; `delivered` or `read` after a failure or cancellation wins and charges again. Order and
 * repetition within and across batches make no difference. Every receipt is kept as an event, an identical one
 * once. Rows are locked in the order of their ids, so that two batches cannot block each other.
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
      FROM receipt r JOIN message_logs m ON m.provider_message_id = r.provider_message_id
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
    ), locked AS MATERIALIZED (
      SELECT id, status, phone, provider_message_id, tenant_id, messaging_account_id, template_id FROM message_logs
      WHERE id IN (SELECT id FROM ours WHERE from_number IS NOT NULL) ORDER BY id FOR UPDATE
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
        (array_agg(error ORDER BY ordinal) FILTER (WHERE status = 'failed'))[1] AS error
      FROM found WHERE NOT other_copy GROUP BY id
    ), change AS MATERIALIZED (
      SELECT f.*, l.status AS old_status,
        CASE
          WHEN f.read_at IS NOT NULL OR l.status = 'read' THEN 'read'
          WHEN f.delivered_at IS NOT NULL OR l.status = 'delivered' THEN 'delivered'
          WHEN l.status IN ('failed', 'canceled') THEN l.status
          WHEN f.failed THEN 'failed'
          WHEN f.sent THEN 'sent'
          ELSE l.status
        END AS new_status
      FROM locked l JOIN folded f USING (id)
    ), updated AS (
      UPDATE message_logs m SET
        status = c.new_status,
        provider_message_id = coalesce(m.provider_message_id, c.provider_message_id),
        sent_at = coalesce(m.sent_at, CASE WHEN c.new_status IN ('sent', 'delivered', 'read') THEN c.first_at END),
        delivered_at = coalesce(m.delivered_at, c.delivered_at, c.read_at),
        read_at = coalesce(m.read_at, c.read_at),
        failed_at = CASE WHEN c.new_status = 'failed' THEN coalesce(m.failed_at, $1::timestamptz) END,
        canceled_at = CASE WHEN c.new_status = 'canceled' THEN m.canceled_at END,
        error = CASE WHEN c.new_status = 'failed' THEN coalesce(m.error, c.error) END,
        resolve_at = CASE WHEN c.new_status = 'sending' THEN m.resolve_at END,
        held_by = CASE WHEN c.new_status IN ('scheduled', 'queued') THEN m.held_by END
      FROM change c
      WHERE m.id = c.id
        AND (c.new_status <> m.status OR m.provider_message_id IS NULL OR m.sent_at IS NULL
          OR (m.delivered_at IS NULL AND c.delivered_at IS NOT NULL))
    ), event AS (
      INSERT INTO message_events (message_log_id, event, occurred_at, details)
      SELECT DISTINCT ON (id, status, occurred_at) id, status, occurred_at, details FROM found f
      WHERE NOT EXISTS (SELECT FROM message_events e WHERE e.message_log_id = f.id AND e.event = f.status
        AND e.occurred_at = f.occurred_at AND e.details ->> 'source' = 'receipt')
    ), recharged AS (
      INSERT INTO ledger_entries (tenant_id, message_log_id, kind, ordinal, amount, currency, created_at)
      SELECT m.tenant_id, m.id, 'charge', 2, m.cost, m.currency, $1::timestamptz FROM change c JOIN message_logs m USING (id)
      WHERE c.old_status IN ('failed', 'canceled') AND c.new_status IN ('delivered', 'read')
    ), failed AS (
      SELECT id, error ->> 'code' AS error_code FROM change
      WHERE new_status = 'failed' AND old_status <> 'failed'
    ), ${FAILURE_EFFECTS}
    SELECT r.ordinal, f.id, c.old_status, c.new_status, coalesce(f.other_copy, false) AS other_copy,
      l.tenant_id, l.messaging_account_id, l.template_id
    FROM receipt r LEFT JOIN found f USING (ordinal) LEFT JOIN change c USING (id) LEFT JOIN locked l USING (id)
    ORDER BY r.ordinal`,
};
