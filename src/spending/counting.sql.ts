/*
 * Parts of the statements that accept messages or change what they are charged, for limits of what may be spent. `$1` is
 * the service's time in all of them. Where a tenant has no limit, they find none and write nothing.
 *
 * A statement that accepts locks the limits of its messages, in the order of their ids: what it reads in them is what the
 * last one has left, so no two pass together what one may not. All else that changes a charge adds a row to
 * `spend_changes` and waits for nobody; the next statement that locks the limit works it in.
 *
 * A limit that was set just now does not hold yet (`counted_from`): it is locked all the same, so that
 * SpendLimitsService, which finds out what was spent, knows what it has to look for.
 */

/** Whether a row `i` with `tenant_id, messaging_account_id, api_key_id, currency` counts for a limit `l`. */
export const COUNTS_FOR = `l.tenant_id = i.tenant_id AND l.currency = i.currency AND l.target_id = CASE l.scope
        WHEN 'tenant' THEN i.tenant_id::text WHEN 'number' THEN i.messaging_account_id::text ELSE i.api_key_id::text END`;

/** SQL of when the period of a limit `l` begins that a time is in. */
export const periodOf = (time: string) => `date_trunc(l.period, ${time}, 'UTC')`;

/**
 * Decides, in the order of `ordinal`, which messages have room under their limits: each that has is counted for those
 * after it. Expects a CTE `sendable (id, ordinal, tenant_id, messaging_account_id, api_key_id, cost, currency)`; gives
 * `over_limit (id, limits)`, the messages without room and what is told of their limits. The statement is
 * `WITH RECURSIVE`.
 * @param wanted SQL of which rows of `sendable` are asked for
 */
export const decideSpending = (wanted: string) => `spend_limit AS MATERIALIZED (
      SELECT l.* FROM spend_limits l WHERE EXISTS (SELECT FROM sendable i WHERE ${COUNTS_FOR}) ORDER BY l.id FOR UPDATE
    ), spend_period AS MATERIALIZED (
      -- The period that its row is about from now on, and whether that is the one of this moment: another process' clock
      -- may be ahead.
      SELECT l.id, greatest(l.period_start, ${periodOf('$1::timestamptz')}) AS newest,
        l.period_start <= ${periodOf('$1::timestamptz')} AS is_newest
      FROM spend_limit l WHERE l.counted_from IS NULL
    ), spend_change AS (
      DELETE FROM spend_changes c USING spend_period p WHERE c.spend_limit_id = p.id AND c.period_start <= p.newest
      RETURNING c.spend_limit_id, c.period_start, c.amount
    ), spend_state AS MATERIALIZED (
      SELECT s.*, s.amount - CASE WHEN is_newest THEN s.now_spent ELSE s.spent_earlier END AS room
      FROM (
        SELECT l.id, l.scope, l.period, l.currency, l.amount, p.newest, p.is_newest, l.period_start < p.newest AS is_begun,
          l.is_reached, l.told_percent, c.changed IS NOT NULL AS is_changed,
          CASE WHEN l.period_start = p.newest THEN l.spent ELSE 0 END + coalesce(c.changed, 0) AS now_spent,
          CASE WHEN l.period_start = p.newest THEN l.spent_before WHEN l.period_start = before.start THEN l.spent
            ELSE 0 END + coalesce(c.changed_before, 0) AS spent_earlier
        FROM spend_limit l JOIN spend_period p USING (id)
          CROSS JOIN LATERAL (SELECT ${periodOf(`p.newest - interval '1 microsecond'`)} AS start) before
          LEFT JOIN LATERAL (
            SELECT coalesce(sum(amount) FILTER (WHERE period_start = p.newest), 0) AS changed,
              sum(amount) FILTER (WHERE period_start = before.start) AS changed_before
            FROM spend_change WHERE spend_limit_id = l.id HAVING count(*) > 0) c ON true
      ) s
    ), spend_demand AS MATERIALIZED (
      SELECT l.id AS spend_limit_id, i.id, i.ordinal, i.cost
      FROM spend_limit l JOIN sendable i ON ${COUNTS_FOR} WHERE l.counted_from IS NULL AND i.cost > 0 AND (${wanted})
    ), spend_short AS MATERIALIZED (
      -- Limits without room for all; only these are looked at message by message.
      SELECT s.id, row_number() OVER (ORDER BY s.id) AS place, min(s.room) AS room
      FROM spend_demand d JOIN spend_state s ON s.id = d.spend_limit_id GROUP BY s.id HAVING sum(d.cost) > min(s.room)
    ), spend_contest AS MATERIALIZED (
      SELECT row_number() OVER (ORDER BY min(d.ordinal)) AS turn, d.id, min(d.cost) AS cost, array_agg(s.place) AS places
      FROM spend_demand d JOIN spend_short s ON s.id = d.spend_limit_id GROUP BY d.id
    ), spend_walk AS (
      SELECT 0::bigint AS turn, NULL::bigint AS id, (SELECT array_agg(room ORDER BY place) FROM spend_short) AS rooms,
        NULL::bigint[] AS short_of, NULL::numeric[] AS short_rooms
      WHERE EXISTS (SELECT FROM spend_short)
      UNION ALL
      SELECT t.turn, t.id, CASE WHEN f.short_of IS NOT NULL THEN w.rooms ELSE ARRAY(
          SELECT r.room - CASE WHEN r.place = ANY (t.places) THEN t.cost ELSE 0 END
          FROM unnest(w.rooms) WITH ORDINALITY AS r(room, place) ORDER BY r.place) END,
        f.short_of, w.rooms
      FROM spend_walk w JOIN spend_contest t ON t.turn = w.turn + 1
        CROSS JOIN LATERAL (SELECT array_agg(p) AS short_of FROM unnest(t.places) p WHERE w.rooms[p] < t.cost) f
    ), over_limit AS MATERIALIZED (
      SELECT w.id, w.short_of, (
        SELECT jsonb_agg(jsonb_build_object('scope', s.scope, 'period', s.period, 'amount', s.amount::text,
          'currency', s.currency, 'spent', (s.amount - w.short_rooms[b.place])::text, 'period_start',
          CASE WHEN s.is_newest THEN s.newest ELSE date_trunc(s.period, $1::timestamptz, 'UTC') END) ORDER BY s.id)
        FROM spend_short b JOIN spend_state s USING (id) WHERE b.place = ANY (w.short_of)) AS limits
      FROM spend_walk w WHERE w.short_of IS NOT NULL
    )`;

/** Counts what a CTE `accepted (id)` says was accepted, after `decideSpending`; writes only what has changed. */
export const COUNT_SPENDING = `counted AS (
      UPDATE spend_limits l SET period_start = s.newest,
        spent = s.now_spent + CASE WHEN s.is_newest THEN s.added ELSE 0 END,
        spent_before = s.spent_earlier + CASE WHEN s.is_newest THEN 0 ELSE s.added END,
        is_reached = (s.is_reached AND NOT s.is_begun) OR (s.is_newest AND s.is_short),
        told_percent = CASE WHEN s.is_begun THEN 0 ELSE s.told_percent END
      FROM (
        SELECT s.*, coalesce(n.added, 0) AS added, EXISTS (SELECT FROM over_limit o JOIN spend_short b ON b.place = ANY (o.short_of)
            WHERE b.id = s.id) AS is_short
        FROM spend_state s LEFT JOIN (
          SELECT spend_limit_id AS id, sum(cost) AS added FROM spend_demand WHERE id IN (SELECT id FROM accepted)
          GROUP BY 1) n USING (id)
      ) s
      WHERE l.id = s.id AND (s.added > 0 OR s.is_changed OR s.is_begun OR (s.is_short AND NOT s.is_reached))
    )`;

/**
 * A CTE's statement that notes what changes for limits, where it is not decided by them.
 * @param rows SQL of rows `(id, tenant_id, messaging_account_id, api_key_id, currency, created_at, amount)`: messages, with
 * what is added to what was spent in the period in which they were accepted
 */
export const noteSpending = (rows: string) => `
      INSERT INTO spend_changes (spend_limit_id, message_log_id, period_start, amount)
      SELECT l.id, i.id, ${periodOf('i.created_at')}, i.amount
      FROM (${rows}) i JOIN spend_limits l ON ${COUNTS_FOR} WHERE i.amount <> 0`;
