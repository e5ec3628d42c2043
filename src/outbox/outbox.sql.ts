import type { Statement } from '../database/database.js';
import type { HoldScope } from './outcome.js';
import { EXPIRED, OLD_CODE } from '../messages/domain/message-error.js';
import { failWaiting, IS_CLAIMED, tellOf } from '../messages/message-effects.sql.js';
import { shardSql } from '../shards/shards.js';

/*
 * The arrows of messages that wait: claimed, put under a hold and let go, expired
 * (docs/architecture.md). `$1` is the service's time in all of them.
 */

/** A probe is chosen among so many of the oldest messages. */
const PROBE_CHOICE = 20;

/** When the last hold on a target ended, infinity while there is one: the last entry of an index. */
const endOfLastHold = (scope: HoldScope, target: string) => `(
            SELECT coalesce(h.lifted_at, 'infinity') FROM holds h
            WHERE h.scope = '${scope}' AND h.target_id = ${target} ORDER BY h.lifted_at DESC LIMIT 1)`;

/**
 * Whether that template is of another business account than the number of the permit: its message is from before a move,
 * and not bound to a template of the new account yet.
 */
const isStray = (permit: string, template: string) => `(${permit}.has_moved
        AND (SELECT t.business_account_id FROM templates t WHERE t.id = ${template}) <> ${permit}.business_account_id)`;

/**
 * queued | scheduled → sending, for what is due on some numbers ($2), so much of each ($3). Two claims never take the same
 * row. Counts the attempt before it is made; `resolve_at` ($4) is when a claim without an outcome is decided. What has a
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
 * @param chosen CTEs, the last of them `due (number, id, template_id)`: what is to be claimed, locked
 */
const claimOf = (name: string, chosen: string): Statement => ({
  name,
  text: `
    WITH permit AS MATERIALIZED (
      SELECT p.number, p.messages, n.business_account_id, n.phone_number_id,
        EXISTS (SELECT FROM number_moves v WHERE v.messaging_account_id = p.number) AS has_moved
      FROM unnest($2::integer[], $3::bigint[]) AS p (number, messages) CROSS JOIN LATERAL (
        SELECT business_account_id, phone_number_id FROM messaging_accounts WHERE id = p.number LIMIT 1
      ) n
    ), ${chosen}, hold AS MATERIALIZED (
      SELECT h.id, d.id AS message_id FROM due d JOIN permit p USING (number)
      JOIN holds h ON h.scope = 'template' AND h.target_id = d.template_id::text AND h.lifted_at IS NULL
        AND ${isStray('p', 'd.template_id')} IS NOT TRUE -- that hold says nothing of the new one
    ), probed AS (
      UPDATE holds SET next_probe_at = $5
      WHERE id = ANY(ARRAY(SELECT id FROM hold)) AND next_probe_at <= $1::timestamptz RETURNING id
    ), probe AS MATERIALIZED (
      SELECT min(message_id) AS message_id FROM hold WHERE id IN (SELECT id FROM probed) GROUP BY id
    ), held AS (
      UPDATE outbox o SET held_by = hold.id FROM hold
      WHERE o.message_log_id = hold.message_id AND o.message_log_id NOT IN (SELECT message_id FROM probe)
    ), claimed AS (
      UPDATE outbox o SET attempts = o.attempts + 1, resolve_at = $4,
        first_attempt_at = CASE WHEN o.first_attempt_at IS NULL OR o.first_attempt_at < greatest(
            ${endOfLastHold('number', 'o.messaging_account_id::text')},
            ${endOfLastHold('template', 'o.template_id::text')},
            ${endOfLastHold('business_account', 'p.business_account_id::text')}
          ) THEN $1::timestamptz ELSE o.first_attempt_at END
      FROM due d JOIN permit p USING (number) WHERE o.message_log_id = d.id
        AND (d.id NOT IN (SELECT message_id FROM hold) OR d.id IN (SELECT message_id FROM probe))
      RETURNING o.message_log_id AS id, o.template_id, o.attempts, o.due_at, o.first_attempt_at, p.business_account_id,
        p.phone_number_id, p.has_moved
    )
    SELECT c.id IN (SELECT message_id FROM probe) AS probe, c.id, c.business_account_id, c.phone_number_id, c.template_id,
      c.attempts, c.due_at, c.first_attempt_at, ${isStray('c', 'c.template_id')} AS stray
    FROM claimed c`,
});

/** What of the number of a permit is due and may be claimed. */
const DUE =
  'resolve_at IS NULL AND held_by IS NULL AND messaging_account_id = p.number AND due_at <= $1::timestamptz';

/** The same by the index that begins with the number's shard: in the order of their times, whatever they are. */
const DUE_OF_ANY_CATEGORY = `${DUE} AND ${shardSql('messaging_account_id')} = ${shardSql('p.number')}`;

/** Of each claim, so much goes to what is urgent, on average: a claim of one message is for all or for none of it. */
const URGENT_PART = 0.9;

const urgent = (category: string, taken: string) => `
      SELECT p.number, o.* FROM free p CROSS JOIN LATERAL (
        SELECT message_log_id AS id, template_id FROM outbox WHERE ${DUE} AND category = '${category}'
        ORDER BY due_at LIMIT greatest(0, floor(p.messages * ${URGENT_PART} + random())::bigint - ${taken})
        FOR UPDATE SKIP LOCKED
      ) o`;

/** How many messages of the permit's number have been chosen already. */
const taken = (chosen: string) => `(SELECT count(*) FROM ${chosen} c WHERE c.number = p.number)`;

/**
 * One-time codes first, then notices, then whatever has been due for longest. A part of each claim is for the last, so that
 * no message waits for ever behind more urgent ones.
 */
export const CLAIM = claimOf(
  'message_claim',
  `free AS MATERIALIZED (
      SELECT * FROM permit p WHERE NOT EXISTS (
        SELECT FROM holds h WHERE h.lifted_at IS NULL AND (h.scope, h.target_id) IN
          (('number', p.number::text), ('business_account', p.business_account_id::text)))
    ), codes AS MATERIALIZED (${urgent('AUTHENTICATION', '0')}
    ), notices AS MATERIALIZED (${urgent('UTILITY', taken('codes'))}
    ), oldest AS MATERIALIZED (
      SELECT p.number, o.* FROM free p CROSS JOIN LATERAL (
        SELECT message_log_id AS id, template_id FROM outbox
        WHERE ${DUE_OF_ANY_CATEGORY} AND message_log_id <> ALL(ARRAY(
          SELECT id FROM codes WHERE number = p.number UNION ALL SELECT id FROM notices WHERE number = p.number))
        ORDER BY due_at LIMIT p.messages - ${taken('codes')} - ${taken('notices')}
        FOR UPDATE SKIP LOCKED
      ) o
    ), due AS MATERIALIZED (
      SELECT * FROM codes UNION ALL SELECT * FROM notices UNION ALL SELECT * FROM oldest
    )`,
);

/**
 * The same for messages that try the hold on their number: those that were tried least among the oldest, and so not
 * always the one that began the hold, whose own fault it may be.
 */
export const CLAIM_PROBE = claimOf(
  'message_claim_probe',
  `due AS MATERIALIZED (
      SELECT p.number, o.* FROM permit p CROSS JOIN LATERAL (
        SELECT id, template_id FROM (
          SELECT message_log_id AS id, template_id, due_at, attempts FROM outbox WHERE ${DUE_OF_ANY_CATEGORY}
          ORDER BY due_at LIMIT ${PROBE_CHOICE} FOR UPDATE SKIP LOCKED
        ) oldest
        ORDER BY attempts, due_at LIMIT p.messages
      ) o
    )`,
);

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
      UPDATE outbox o SET attempts = o.attempts - 1, resolve_at = NULL,
        first_attempt_at = CASE WHEN o.attempts > 1 THEN o.first_attempt_at END,
        template_id = s.template_id, held_by = s.hold_id, due_at = least(o.due_at, $1::timestamptz)
      FROM stray s
      WHERE o.message_log_id = s.id AND o.attempts = s.attempt AND ${IS_CLAIMED}
        AND o.template_id = s.former_id
      RETURNING o.message_log_id AS id, o.messaging_account_id, o.template_id
    ), logged AS (
      UPDATE message_logs m SET template_id = r.template_id FROM rebound r WHERE m.id = r.id
    )
    SELECT (SELECT count(*) FROM rebound) AS rebound, ${tellOf('rebound')}`,
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
      (SELECT held_by FROM outbox WHERE held_by IS NOT NULL ORDER BY held_by, due_at LIMIT 1)
      UNION ALL
      SELECT next.held_by FROM keeping k CROSS JOIN LATERAL (
        SELECT held_by FROM outbox WHERE held_by > k.id ORDER BY held_by, due_at LIMIT 1
      ) next
    ), kept AS MATERIALIZED (
      SELECT m.id FROM keeping JOIN holds h USING (id) CROSS JOIN LATERAL (
        SELECT id FROM (
          SELECT message_log_id AS id, due_at, attempts FROM outbox WHERE held_by = h.id ORDER BY due_at
          LIMIT CASE WHEN h.lifted_at IS NULL THEN ${PROBE_CHOICE} ELSE $2::bigint END
          FOR UPDATE SKIP LOCKED
        ) oldest
        ORDER BY CASE WHEN h.lifted_at IS NULL THEN attempts ELSE 0 END, due_at
        LIMIT CASE WHEN h.lifted_at IS NULL THEN 1 ELSE $2::bigint END
      ) m
      WHERE h.lifted_at IS NOT NULL OR (h.scope = 'template' AND h.next_probe_at <= $1::timestamptz)
      LIMIT $2
    ), released AS (
      UPDATE outbox o SET held_by = NULL FROM kept WHERE o.message_log_id = kept.id RETURNING o.messaging_account_id
    )
    SELECT (SELECT count(*) FROM released) AS released,
      ${tellOf('released')}`,
};

/** Messages of each kind that one statement fails at most. */
export const EXPIRE_BATCH = 500;

const EXPIRY = `jsonb_build_object('code', '${EXPIRED.code}', 'title', '${EXPIRED.title}', 'details',
        CASE WHEN t.is_code THEN '${OLD_CODE.details}' ELSE '${EXPIRED.details}' END)`;

/**
 * queued | scheduled → failed, with refund, for what nobody wants any more, be it on hold or behind a backlog: messages
 * after their `valid_until`, and authentication codes that are older ($2, in seconds) than they are good for.
 */
export const EXPIRE: Statement = {
  name: 'message_expire',
  text: `
    WITH old_code AS MATERIALIZED (
      SELECT o.message_log_id AS id FROM outbox o JOIN message_logs m ON m.id = o.message_log_id
      WHERE o.resolve_at IS NULL AND o.category = 'AUTHENTICATION' AND o.due_at <= $1::timestamptz
        AND coalesce(m.scheduled_at, m.created_at) + make_interval(secs => $2::double precision) < $1::timestamptz
      ORDER BY o.due_at LIMIT ${EXPIRE_BATCH}
    ), codes AS MATERIALIZED (
      -- By a look of its own: see LOCK_TOLD.
      SELECT message_log_id AS id FROM outbox
      WHERE message_log_id = ANY(ARRAY(SELECT id FROM old_code)) AND resolve_at IS NULL FOR UPDATE SKIP LOCKED
    ), outdated AS MATERIALIZED (
      SELECT message_log_id AS id FROM outbox WHERE resolve_at IS NULL AND valid_until <= $1::timestamptz
      ORDER BY valid_until LIMIT ${EXPIRE_BATCH} FOR UPDATE SKIP LOCKED
    ), chosen AS MATERIALIZED (
      SELECT id, id IN (SELECT id FROM codes) AS is_code FROM (SELECT id FROM codes UNION SELECT id FROM outdated) either
    ), ${failWaiting(EXPIRY)}
    SELECT count(*) AS expired FROM failed`,
};
