import type { Statement } from '../../database/database.js';
import { MESSAGE_DUE } from '../../database/notifications.js';
import { shardSql } from '../../shards/shards.js';
import { TEMPLATE_MISSING } from '../template-binding.sql.js';
import { tellHolds } from './hold-events.sql.js';

/* Holds begin, are tried and end: one statement each. */

export const PLACE: Statement = {
  name: 'hold_place',
  text: `
    WITH placed AS (
      INSERT INTO holds (tenant_id, scope, target_id, cause, error, created_at, next_probe_at, message_log_id, by_receipt)
      SELECT $1::uuid, $2::text, $3::text, $4::text, $5::jsonb, $6::timestamptz, $7::timestamptz, $8::bigint, $9::boolean
      FROM messaging_accounts n WHERE n.id = $10 AND ($2 <> 'number' OR n.business_account_id = $11)
      ON CONFLICT (scope, target_id) WHERE lifted_at IS NULL DO NOTHING RETURNING *
    ), told AS (${tellHolds('placed', '$6::timestamptz')}
    )
    SELECT id FROM placed`,
};

/** Others went through where one of them ended the hold as its probe, or where the number has sent since it ended. */
export const BEGAN: Statement = {
  name: 'hold_began',
  text: `
    SELECT 1 FROM holds h
    WHERE h.scope = $1 AND h.target_id = $2 AND h.message_log_id = $3 AND h.lifted_at IS NOT NULL
      AND (h.lifted_by = 'probe' OR EXISTS (
        SELECT FROM number_activity a WHERE a.messaging_account_id = $4 AND a.slot >= h.lifted_at))
      AND NOT EXISTS (
        SELECT FROM holds begun WHERE begun.scope = $1 AND begun.target_id = $2 AND begun.lifted_at IS NULL)
    LIMIT 1`,
};

export const PROBE_NOW: Statement = {
  name: 'hold_probe_now',
  text: `
    UPDATE holds SET next_probe_at = $3
    WHERE scope = $1 AND target_id = $2 AND lifted_at IS NULL AND isfinite(next_probe_at)`,
};

export const NOTE_PROBE: Statement = {
  name: 'hold_note_probe',
  text: `
    UPDATE holds SET probe_message_id = $3
    WHERE lifted_at IS NULL AND (scope, target_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))`,
};

/** Only what was put off by the taking of a probe: what waits for an end that the provider has told goes on waiting. */
export const RETURN_PROBE: Statement = {
  name: 'hold_return_probe',
  text: `
    UPDATE holds SET next_probe_at = $3
    WHERE lifted_at IS NULL AND next_probe_at <= $4::timestamptz
      AND (scope, target_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))`,
};

/** $8 are the causes in the order of their weight; any other is lighter. One that is only repeated is not told again. */
export const PLACE_ON: Statement = {
  name: 'hold_place_on',
  text: `
    WITH placed AS (
      INSERT INTO holds AS h (tenant_id, scope, target_id, cause, error, created_at, next_probe_at)
      SELECT $1::uuid, $2::text, $3::text, $4::text, $5::jsonb, $6::timestamptz, $7::timestamptz
      WHERE NOT EXISTS (
        SELECT FROM holds ended
        WHERE ended.scope = $2 AND ended.target_id = $3 AND ended.cause = $4 AND ended.lifted_at >= $9::timestamptz)
      ON CONFLICT (scope, target_id) WHERE lifted_at IS NULL DO UPDATE SET
        cause = excluded.cause, error = excluded.error, next_probe_at = excluded.next_probe_at,
        message_log_id = NULL, by_receipt = false, probe_message_id = NULL
      WHERE array_position($8::text[], excluded.cause) >= coalesce(array_position($8::text[], h.cause), 0)
      RETURNING *
    ), told AS (${tellHolds('placed WHERE (id, cause) NOT IN (SELECT id, cause FROM holds)', '$6::timestamptz')}
    )
    SELECT id FROM placed`,
};

export const TAKE_PROBE: Statement = {
  name: 'hold_take_probe',
  text: `
    UPDATE holds SET next_probe_at = $3
    WHERE id = $1 AND lifted_at IS NULL AND next_probe_at <= $2 RETURNING id`,
};

/** The template `t` of an open hold `h`; not of a template that is missing, which ends when that is found. */
const ON_TEMPLATE = `t.id = CASE h.scope WHEN 'template' THEN h.target_id::integer END
        AND h.lifted_at IS NULL AND h.cause <> '${TEMPLATE_MISSING}'`;

/** Well before they are due, as this is done once a second. */
export const PUT_OFF_PROBES: Statement = {
  name: 'hold_put_off_probes',
  text: `
    UPDATE holds h SET next_probe_at = $2 FROM templates t
    WHERE ${ON_TEMPLATE} AND t.status = 'PENDING' AND t.removed_at IS NULL
      AND h.next_probe_at <= $1::timestamptz + interval '20 seconds'`,
};

/**
 * Ends the open hold that fits, and tells the workers of the numbers that were under it, in notifications of 500 ids: one
 * may have 8,000 bytes. What a template's hold keeps is released by RELEASE_HELD, which tells of it then.
 */
const lift = (name: string, which: string): Statement => ({
  name,
  text: `
    WITH lifted AS (
      UPDATE holds SET lifted_at = $1, lifted_by = $2 WHERE lifted_at IS NULL AND ${which} RETURNING *
    ), event AS (${tellHolds('lifted', '$1::timestamptz')}
    ), free AS (
      SELECT n.id, ${shardSql('n.id')} AS shard, row_number() OVER (PARTITION BY ${shardSql('n.id')}) / 500 AS part
      FROM lifted l JOIN messaging_accounts n
        ON (l.scope = 'number' AND n.id::text = l.target_id)
        OR (l.scope = 'business_account' AND n.business_account_id::text = l.target_id)
    ), told AS MATERIALIZED (
      SELECT pg_notify('${MESSAGE_DUE}' || shard, string_agg(id::text, ',')) FROM free GROUP BY shard, part
    )
    SELECT id, (SELECT count(*) FROM told) AS told FROM lifted`,
});

export const LIFT = lift('hold_lift', 'id = $3');
export const LIFT_PROBED = lift(
  'hold_lift_probed',
  'probe_message_id = ANY($3::bigint[]) AND by_receipt = $4',
);
export const LIFT_SETTLED = lift(
  'hold_lift_settled',
  `id IN (
      SELECT h.id FROM holds h JOIN templates t ON ${ON_TEMPLATE}
      WHERE t.removed_at IS NOT NULL OR (t.status_changed_at > h.created_at AND (
        t.status IN ('REJECTED', 'DISABLED')
        OR (t.status = 'APPROVED' AND t.provider_status IN ('APPROVED', 'REINSTATED'))))
    )`,
);
export const LIFT_CAUSED = lift(
  'hold_lift_caused',
  'scope = $3 AND target_id = $4 AND cause = ANY($5::text[])',
);
