import type { Statement } from '../database/database.js';

/** Attempts for each endpoint that are kept. */
export const KEPT_ATTEMPTS = 500;

/** Seconds for which a run posts to an endpoint alone without a word; longer than an endpoint may take to answer. */
export const LEASE = 30;

/** Milliseconds that a quick answer takes at most. */
export const QUICK = 1_000;

/* `$1` is the service's time in all of them; leases go by PostgreSQL's. */

/**
 * Takes up to $3 endpoints: those whose next try has come, and those of the tenants ($2) that have news, unless they fail
 * and wait. Those that are leased are left alone. Each lease has an id of its own, not its worker's: once a change has
 * ended it, nothing that is still done under it counts, though the same worker may have the next. With $4, takes only those
 * whose last answer was a quick success, and those that have been asked for none yet. Tells also whether
 * there is any at all that is not disabled, in each row; without one that is taken, in a row of nothing else.
 */
export const LEASE_ENDPOINTS: Statement = {
  name: 'webhook_endpoints_lease',
  text: `
    WITH leased AS (
      -- If its worker dies, it is due at the end of the lease, whatever rest it had.
      UPDATE webhook_endpoints SET leased_by = gen_random_uuid(), leased_until = now() + interval '${LEASE} seconds',
        next_try_at = $1::timestamptz
      WHERE id IN (
        SELECT id FROM webhook_endpoints w
        WHERE disabled_at IS NULL AND (leased_by IS NULL OR leased_until < now())
          AND (next_try_at <= $1::timestamptz OR (failures = 0 AND tenant_id = ANY($2::uuid[])))
          AND (NOT $4::boolean OR (failures = 0 AND NOT EXISTS (
            SELECT FROM webhook_endpoint_attempts a WHERE a.webhook_endpoint_id = w.id
              AND a.place = w.attempts % ${KEPT_ATTEMPTS} AND a.duration > ${QUICK})))
        ORDER BY next_try_at LIMIT $3 FOR UPDATE SKIP LOCKED)
      RETURNING id, leased_by AS lease, tenant_id, url, types, secret, former_secrets AS "formerSecrets", failures,
        after_entry, after_ordinal
    )
    SELECT EXISTS (SELECT FROM webhook_endpoints WHERE disabled_at IS NULL) AS has_any, leased.*
    FROM (SELECT) one LEFT JOIN leased ON true`,
};

/** Gives an endpoint ($2) with a lease ($3) back, to be looked at again at $4 if no news come before. */
export const RELEASE_ENDPOINT: Statement = {
  name: 'webhook_endpoint_release',
  text: `
    UPDATE webhook_endpoints SET leased_by = NULL, leased_until = NULL, next_try_at = $4::timestamptz
    WHERE id = $2 AND leased_by = $3 AND $1::timestamptz IS NOT NULL`,
};

/** Which leases ($2) of endpoints ($1) count no longer: the endpoint was changed or deleted, or is another's. */
export const LOST_LEASES: Statement = {
  name: 'webhook_endpoints_lost_leases',
  text: `
    SELECT o.lease FROM unnest($1::uuid[], $2::uuid[]) AS o(id, lease)
    WHERE NOT EXISTS (SELECT FROM webhook_endpoints w WHERE w.id = o.id AND w.leased_by = o.lease)`,
};

/** Ends the rest of endpoints that have news, of these tenants ($2; null: of all), so that they are due. */
export const WAKE_ENDPOINTS: Statement = {
  name: 'webhook_endpoints_wake',
  text: `
    UPDATE webhook_endpoints w SET next_try_at = $1::timestamptz
    WHERE disabled_at IS NULL AND failures = 0 AND next_try_at > $1::timestamptz
      AND ($2::uuid[] IS NULL OR tenant_id = ANY($2))
      AND EXISTS (SELECT FROM event_stream e WHERE e.tenant_id = w.tenant_id AND e.id > w.after_entry)`,
};

/**
 * The row of an endpoint's log for the attempt that its row counts last. Expects a CTE `endpoint (id, attempts)`, and as
 * $4: `{events, first_cursor, last_cursor, http_status, error, duration}`, null for none.
 */
const LOGGED = `
    logged AS (
      INSERT INTO webhook_endpoint_attempts (webhook_endpoint_id, place, attempted_at, events, first_cursor, last_cursor,
        http_status, error, duration)
      SELECT e.id, e.attempts % ${KEPT_ATTEMPTS}, $1::timestamptz, a.events, a.first_cursor, a.last_cursor, a.http_status,
        a.error, a.duration
      FROM endpoint e, jsonb_to_record($4::jsonb) AS a(events integer, first_cursor text, last_cursor text,
        http_status integer, error text, duration integer)
      WHERE a.events IS NOT NULL
      ON CONFLICT (webhook_endpoint_id, place) DO UPDATE SET attempted_at = excluded.attempted_at,
        events = excluded.events, first_cursor = excluded.first_cursor, last_cursor = excluded.last_cursor,
        http_status = excluded.http_status, error = excluded.error, duration = excluded.duration
    )`;

/**
 * Moves an endpoint ($2) with a lease ($3) on to a place ($5, $6) in the stream, and renews the lease. No row: it is
 * another's by now, or was changed, and goes on from where its row says. Without an attempt ($4), nothing was posted,
 * as nothing fitted its types.
 */
export const ADVANCE_ENDPOINT: Statement = {
  name: 'webhook_endpoint_advance',
  text: `
    WITH endpoint AS (
      UPDATE webhook_endpoints SET after_entry = $5, after_ordinal = $6, leased_until = now() + interval '${LEASE} seconds',
        attempts = attempts + ($4::jsonb IS NOT NULL)::integer,
        failures = CASE WHEN $4::jsonb IS NULL THEN failures ELSE 0 END,
        failing_since = CASE WHEN $4::jsonb IS NULL THEN failing_since END,
        succeeded_at = CASE WHEN $4::jsonb IS NULL THEN succeeded_at ELSE $1::timestamptz END,
        next_try_at = $1::timestamptz
      WHERE id = $2 AND leased_by = $3
      RETURNING id, attempts
    ), ${LOGGED}
    SELECT id FROM endpoint`,
};

/**
 * Notes a failed attempt ($4) of an endpoint ($2) with a lease ($3) and gives it back: it is tried again at $5. Where it
 * has failed since before $6, it is disabled instead.
 */
export const FAIL_ENDPOINT: Statement = {
  name: 'webhook_endpoint_fail',
  text: `
    WITH endpoint AS (
      UPDATE webhook_endpoints SET attempts = attempts + 1, failures = failures + 1, next_try_at = $5::timestamptz,
        failing_since = coalesce(failing_since, $1::timestamptz),
        disabled_at = CASE WHEN failing_since <= $6::timestamptz THEN $1::timestamptz END,
        leased_by = NULL, leased_until = NULL
      WHERE id = $2 AND leased_by = $3
      RETURNING id, attempts, disabled_at
    ), ${LOGGED}
    SELECT id, disabled_at IS NOT NULL AS is_disabled FROM endpoint`,
};
