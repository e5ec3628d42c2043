import type { Statement } from '../database/database.js';
import { COUNTS_FOR, periodOf } from './counting.sql.js';

/* The statements of SpendLimitsService and SpendWatchService: limits are set and removed, and looked at without counting anything. */

/**
 * Sets a limit ($1–$5) to an amount ($6) at the time $7. A new one does not hold yet: FINISH says from when on. What is
 * accepted by a statement that knows it has a higher id than its `counted_from`.
 */
export const SET: Statement = {
  name: 'spend_limit_set',
  text: `
    INSERT INTO spend_limits AS l (tenant_id, scope, target_id, period, currency, amount, period_start, changed_at, counted_from)
    SELECT $1::uuid, $2::text, $3::text, $4::text, $5::text, $6::numeric, date_trunc($4::text, $7::timestamptz, 'UTC'),
      $7::timestamptz, last_value FROM message_logs_id_seq
    ON CONFLICT ON CONSTRAINT spend_limits_target_key DO UPDATE SET amount = excluded.amount, changed_at = excluded.changed_at,
      is_reached = false, told_percent = 0
    RETURNING id, counted_from`,
};

/** Removes a limit ($2) of a tenant ($1), with what has changed in its counter and is not worked in. */
export const REMOVE: Statement = {
  name: 'spend_limit_remove',
  text: `
    WITH removed AS (
      DELETE FROM spend_limits WHERE tenant_id = $1 AND id = $2 RETURNING id
    ), forgotten AS (
      DELETE FROM spend_changes WHERE spend_limit_id IN (SELECT id FROM removed)
    )
    SELECT id FROM removed`,
};

/** What a limit `l` has counted in the period of `$1`, the service's time. */
const SPENT = `(CASE WHEN l.period_start = ${periodOf('$1::timestamptz')} THEN l.spent ELSE 0 END
      + (SELECT coalesce(sum(c.amount), 0) FROM spend_changes c
        WHERE c.spend_limit_id = l.id AND c.period_start = ${periodOf('$1::timestamptz')}))::numeric(20,6)`;

/** The key of a limit, where it is the tenant's own: the name of a platform key is none of its business. */
const KEY_OF_LIMIT = `LEFT JOIN api_keys k
        ON l.scope = 'api_key' AND k.id::text = l.target_id AND k.tenant_id = l.tenant_id`;

/** The limits of a tenant ($2), with what they are for and what is spent. */
export const LIST: Statement = {
  name: 'spend_limits_list',
  text: `
    SELECT l.id AS spend_limit_id, l.scope, l.target_id, CASE l.scope WHEN 'number' THEN n.api_id WHEN 'api_key' THEN l.target_id END AS api_id,
      coalesce(n.name, k.name) AS name, l.period, l.currency,
      l.amount::text, ${SPENT}::text AS spent, ${periodOf('$1::timestamptz')} AS period_start,
      l.counted_from IS NULL AS is_in_force,
      l.is_reached AND l.period_start = ${periodOf('$1::timestamptz')} AS is_reached
    FROM spend_limits l
      LEFT JOIN messaging_accounts n ON l.scope = 'number' AND n.id::text = l.target_id
      ${KEY_OF_LIMIT}
    WHERE l.tenant_id = $2
    ORDER BY array_position(ARRAY['tenant', 'number', 'api_key'], l.scope), name, l.target_id, l.currency, l.period`,
};

export const ARE_SET: Statement = {
  name: 'spend_limits_are_set',
  text: 'SELECT DISTINCT tenant_id FROM spend_limits WHERE tenant_id = ANY($1::uuid[])',
};

/** The limits without room for a message of a tenant ($2), number ($3) and key ($4, or null) that costs $6 in $5. */
export const REACHED_BY: Statement = {
  name: 'spend_limits_reached_by',
  text: `
    SELECT * FROM (
      SELECT l.scope, l.period, l.currency, l.amount::text, ${SPENT}::text AS spent,
        ${periodOf('$1::timestamptz')} AS period_start, l.id, l.amount AS most, ${SPENT} AS sum
      FROM (SELECT $2::uuid AS tenant_id, $3::integer AS messaging_account_id, $4::uuid AS api_key_id, $5::text AS currency) i
        JOIN spend_limits l ON ${COUNTS_FOR}
      WHERE l.counted_from IS NULL
    ) l WHERE $6::numeric > 0 AND sum + $6::numeric > most ORDER BY id`,
};

/** Limits that were set by $1 and do not hold yet: who set them has died, or waits for a long time. */
export const UNFINISHED: Statement = {
  name: 'spend_limits_unfinished',
  text: 'SELECT id FROM spend_limits WHERE counted_from IS NOT NULL AND changed_at < $1',
};

export const FIND: Statement = {
  name: 'spend_limit_find',
  text: 'SELECT id, tenant_id, scope, target_id, period, currency, counted_from FROM spend_limits WHERE id = $1',
};

const READERS = `pg_locks WHERE locktype = 'relation' AND relation = 'spend_limits'::regclass
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND pid <> pg_backend_pid()`;

/**
 * The transactions that may not know of a limit that was committed before this. What accepts, or changes a charge, reads
 * the table of the limits: it has locked that before it took its snapshot, and keeps the lock to its end.
 */
export const MAY_NOT_KNOW: Statement = {
  name: 'spend_limit_may_not_know',
  text: `SELECT coalesce(array_agg(DISTINCT virtualtransaction), '{}') AS transactions FROM ${READERS}`,
};

/** Whether one of these ($1) has not ended yet. */
export const STILL_THERE: Statement = {
  name: 'spend_limit_still_there',
  text: `SELECT virtualtransaction FROM ${READERS} AND virtualtransaction = ANY($1::text[]) LIMIT 1`,
};

/**
 * What the ledger says was spent, on messages that were accepted from $3 to $4, of a tenant ($2), in a currency ($6), by a
 * number ($7) or a key ($8) where one is given.
 * @param ids which of them, by `m.id` and $5
 */
const booked = (ids: string) => `
      SELECT coalesce(sum(b.amount), 0) AS spent
      FROM message_logs m CROSS JOIN LATERAL (
        SELECT sum(CASE e.kind WHEN 'charge' THEN e.amount ELSE -e.amount END) AS amount
        FROM ledger_entries e WHERE e.message_log_id = m.id
      ) b
      WHERE m.tenant_id = $2::uuid AND m.created_at >= $3::timestamptz AND m.created_at < $4::timestamptz AND ${ids}
        AND m.currency = $6::text AND ($7::integer IS NULL OR m.messaging_account_id = $7)
        AND ($8::uuid IS NULL OR m.api_key_id = $8)`;

/**
 * What was spent before a limit ($1), up to the message $5, and the ids of the changes that this has in it. It may take
 * long, so it locks nothing, and leaves the table of the limits alone.
 */
export const SPENT_BEFORE: Statement = {
  name: 'spend_limit_spent_before',
  timeout: 600_000, // a month of a large tenant
  text: `
    WITH booked AS (${booked('m.id <= $5::bigint')}
    )
    SELECT spent::text, ARRAY(SELECT id FROM spend_changes WHERE spend_limit_id = $1::integer) AS changes FROM booked`,
};

export const LOCK: Statement = {
  name: 'spend_limit_lock',
  text: 'SELECT counted_from FROM spend_limits WHERE id = $1 FOR UPDATE',
};

/**
 * From now on a limit ($1) holds. It is locked: who knows it waits, or has committed. Adds to what was spent up to the
 * message $5 ($9) what was spent since; the changes that are in either ($10) are forgotten.
 */
export const FINISH: Statement = {
  name: 'spend_limit_finish',
  timeout: 15_000,
  text: `
    WITH booked AS (${booked('m.id > $5::bigint')}
    ), forgotten AS (
      DELETE FROM spend_changes
      WHERE spend_limit_id = $1::integer AND (message_log_id > $5::bigint OR id = ANY($10::bigint[]))
    )
    UPDATE spend_limits SET counted_from = NULL, period_start = $3::timestamptz, spent_before = 0,
      spent = $9::numeric + (SELECT spent FROM booked)
    WHERE id = $1::integer RETURNING id`,
};

/** Limits that hold, of which people have to be told more than they were in this period. */
export const TO_TELL: Statement = {
  name: 'spend_limits_to_tell',
  text: `
    SELECT * FROM (
      SELECT l.id, l.tenant_id, l.scope, coalesce(n.name, k.name) AS name, l.period, l.currency, l.amount::text,
        ${SPENT}::text AS spent, l.is_reached, l.told_percent, l.period_start, l.amount AS most, ${SPENT} AS sum
      FROM spend_limits l
        LEFT JOIN messaging_accounts n ON l.scope = 'number' AND n.id::text = l.target_id
        ${KEY_OF_LIMIT}
      WHERE l.counted_from IS NULL AND l.told_percent < 100 AND l.period_start = ${periodOf('$1::timestamptz')}
    ) l
    WHERE is_reached OR (most > 0 AND sum * 100 >= most * CASE WHEN told_percent < 50 THEN 50 WHEN told_percent < 80 THEN 80
      ELSE 100 END)`,
};

/**
 * Notes that people are told of a limit ($1) up to a percentage ($2) of a period ($3). No row when they were, or
 * when its amount is $4 no longer.
 */
export const NOTE_TOLD: Statement = {
  name: 'spend_limit_note_told',
  text: `
    UPDATE spend_limits SET told_percent = $2 WHERE id = $1 AND told_percent < $2 AND period_start = $3 AND amount = $4::numeric
    RETURNING id`,
};

/** Deletes changes of limits that were removed while these were made. */
export const FORGET_STRAYS: Statement = {
  name: 'spend_changes_forget_strays',
  text: 'DELETE FROM spend_changes c WHERE NOT EXISTS (SELECT FROM spend_limits l WHERE l.id = c.spend_limit_id)',
};
