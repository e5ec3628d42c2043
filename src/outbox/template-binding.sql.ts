import type { Statement } from '../database/database.js';
import { tellOf } from '../messages/message-effects.sql.js';
import { isOfNumber } from '../shards/shards.js';

/*
 * The statements of template-binding.service.ts, for a number ($1) that has moved to another business account: messages
 * that are of a template of a former account get the one of its name and language of the new account.
 */

/** The cause of a hold on a template that the provider cannot send: it is not in the business account, or not approved. */
export const TEMPLATE_MISSING = 'template_missing';

/** Locks the number's business account against others who find the same templates missing. */
export const LOCK_ACCOUNT: Statement = {
  name: 'binding_lock_account',
  text: `
    SELECT b.id FROM business_accounts b JOIN messaging_accounts n ON n.business_account_id = b.id
    WHERE n.id = $1 FOR NO KEY UPDATE OF b`,
};

/**
 * A removed template in the number's business account for each of these ($2) of which it never had one of that name and
 * language: messages without a template there get this one, for a hold to be on. $3 is the service's time.
 */
export const ADD_MISSING: Statement = {
  name: 'binding_add_missing',
  text: `
    INSERT INTO templates (business_account_id, tenant_id, provider_template_id, name, language, category, status,
      provider_status, parameter_format, body_json, status_changed_at, removed_at)
    SELECT DISTINCT ON (o.name, o.language) n.business_account_id, n.tenant_id, '', o.name, o.language, o.category,
      'DISABLED', 'DELETED', o.parameter_format, o.body_json, $3::timestamptz, $3::timestamptz
    FROM templates o JOIN messaging_accounts n ON n.id = $1
    WHERE o.id = ANY($2::integer[]) AND NOT EXISTS (
      SELECT FROM templates t
      WHERE t.business_account_id = n.business_account_id AND t.name = o.name AND t.language = o.language)`,
};

/** The former templates ($2), each with that of the number's business account, or the last one that was removed there. */
const WANTED = `
  wanted AS MATERIALIZED (
    SELECT o.id AS former_id, n.tenant_id, t.* FROM templates o JOIN messaging_accounts n ON n.id = $1
    CROSS JOIN LATERAL (
      SELECT t.id, t.name, t.language, t.status, t.removed_at IS NULL AS is_there FROM templates t
      WHERE t.business_account_id = n.business_account_id AND t.name = o.name AND t.language = o.language
      ORDER BY t.removed_at IS NULL DESC, t.id DESC LIMIT 1
    ) t
    WHERE o.id = ANY($2::integer[])
  )`;

/** One that is paused, the provider refuses for now only. */
const SENDABLE = `is_there AND status IN ('APPROVED', 'PAUSED')`;

/**
 * Holds those that cannot be sent: no message tries these, as it would fail. An open hold on the former template goes on
 * for the new one, and is probed at once: its cause may have stayed behind. $3 is the service's time.
 */
export const HOLD_MISSING: Statement = {
  name: 'binding_hold_missing',
  text: `
    WITH ${WANTED}, caused AS (
      SELECT tenant_id, id, '${TEMPLATE_MISSING}' AS cause, 'infinity'::timestamptz AS next_probe_at, jsonb_build_object(
        'code', NULL, 'title', CASE WHEN is_there THEN 'The template is ' || status ELSE 'There is no such template' END,
        'details', format('In the business account that the number has moved to: %s, %s.', name, language)) AS error
      FROM wanted WHERE NOT (${SENDABLE})
      UNION ALL
      SELECT w.tenant_id, w.id, h.cause, CASE WHEN isfinite(h.next_probe_at) THEN $3::timestamptz ELSE h.next_probe_at END,
        h.error
      FROM wanted w JOIN holds h ON h.scope = 'template' AND h.target_id = w.former_id::text AND h.lifted_at IS NULL
      WHERE ${SENDABLE} AND h.cause <> '${TEMPLATE_MISSING}'
    )
    INSERT INTO holds (tenant_id, scope, target_id, cause, error, created_at, next_probe_at)
    SELECT DISTINCT ON (id) tenant_id, 'template', id::text, cause, error, $3::timestamptz, next_probe_at
    FROM caused ORDER BY id
    ON CONFLICT (scope, target_id) WHERE lifted_at IS NULL DO NOTHING`,
};

/** What messages of the former templates get: the template, the open hold on it, and whether the account has it. */
export const TARGETS: Statement = {
  name: 'binding_targets',
  text: `
    WITH ${WANTED}
    SELECT w.former_id, w.id AS template_id, w.is_there,
      (SELECT h.id FROM holds h WHERE h.scope = 'template' AND h.target_id = w.id::text AND h.lifted_at IS NULL) AS hold_id
    FROM wanted w`,
};

/**
 * Up to $3 messages that wait and are of a former template, from those due at $2 on. A million may be due at the same time,
 * and no index tells which of them are bound: so many are read ahead, and bound in smaller batches.
 */
export const WAITING_STRAYS: Statement = {
  name: 'binding_waiting_strays',
  timeout: 60_000,
  text: `
    SELECT o.message_log_id AS id, o.template_id, o.due_at FROM outbox o
    WHERE o.resolve_at IS NULL AND o.held_by IS NULL AND ${isOfNumber('o.', '$1')} AND o.due_at >= $2
      AND (SELECT t.business_account_id FROM templates t WHERE t.id = o.template_id)
        <> (SELECT n.business_account_id FROM messaging_accounts n WHERE n.id = $1)
    ORDER BY o.due_at LIMIT $3`,
};

/** The same for up to $2 that a hold on each former template keeps. */
export const HELD_STRAYS: Statement = {
  name: 'binding_held_strays',
  timeout: 60_000, // passes those of other numbers
  text: `
    SELECT m.id, m.template_id, m.due_at FROM holds h
    JOIN messaging_accounts n ON n.id = $1
    JOIN templates t ON t.id = CASE WHEN h.scope = 'template' THEN h.target_id::integer END
      AND t.business_account_id <> n.business_account_id
    CROSS JOIN LATERAL (
      SELECT message_log_id AS id, template_id, due_at FROM outbox
      WHERE held_by = h.id AND messaging_account_id = n.id
      ORDER BY due_at LIMIT $2
    ) m
    WHERE h.tenant_id = n.tenant_id`,
};

/**
 * Gives the messages ($2) what TARGETS ($1) says, if they still wait. Those that somebody else has locked are left out: who
 * claims them sees what they are. The hours in which they were accepted counted them under the former
 * template, and will count them under the new one. Hours that are just being counted are left as they are.
 */
export const BIND: Statement = {
  name: 'binding_bind',
  timeout: 15_000,
  text: `
    WITH target AS MATERIALIZED (
      SELECT * FROM json_to_recordset($1) AS t(former_id integer, template_id integer, hold_id integer, is_there boolean)
    ), free AS MATERIALIZED (
      SELECT message_log_id AS id FROM outbox
      WHERE message_log_id = ANY($2::bigint[]) AND resolve_at IS NULL ORDER BY message_log_id FOR UPDATE SKIP LOCKED
    ), waiting AS (
      UPDATE outbox o SET template_id = t.template_id, held_by = t.hold_id
      FROM free, target t WHERE o.message_log_id = free.id AND o.template_id = t.former_id
      RETURNING free.id, t.former_id, t.template_id, t.is_there
    ), bound AS (
      UPDATE message_logs m SET template_id = w.template_id FROM waiting w WHERE m.id = w.id
      RETURNING m.tenant_id, m.created_at, m.messaging_account_id, w.former_id, m.conversation_category, m.currency,
        m.cost, w.is_there
    ), uncounted AS (
      SELECT tenant_id, date_trunc('hour', created_at, 'UTC') AS hour, messaging_account_id, former_id AS template_id,
        conversation_category AS category, currency, count(*) AS messages, sum(cost) AS cost
      FROM bound GROUP BY 1, 2, 3, 4, 5, 6
    ), hour AS MATERIALIZED (
      SELECT s.tenant_id, s.hour, s.messaging_account_id, s.template_id, s.category, s.currency, u.messages, u.cost
      FROM uncounted u JOIN message_stats s USING (tenant_id, hour, messaging_account_id, template_id, category, currency)
      FOR UPDATE OF s SKIP LOCKED
    ), recounted AS (
      UPDATE message_stats s SET accepted = greatest(0, s.accepted - h.messages), cost = greatest(0, s.cost - h.cost)
      FROM hour h
      WHERE (s.tenant_id, s.hour, s.messaging_account_id, s.template_id, s.category, s.currency)
        = (h.tenant_id, h.hour, h.messaging_account_id, h.template_id, h.category, h.currency)
    )
    SELECT count(*) FILTER (WHERE is_there) AS bound, count(*) FILTER (WHERE NOT is_there) AS unbound FROM bound`,
};

/** Adds to what a move ($1) has come to: $2 bound, $3 unbound, at $4. */
export const NOTE_BOUND: Statement = {
  name: 'binding_note',
  text: `
    UPDATE number_moves SET bound = bound + $2, unbound = unbound + $3, worked_at = $4 WHERE id = $1`,
};

/** The open holds on templates that can be sent by now, each with the template to send. */
export const FOUND: Statement = {
  name: 'binding_found',
  text: `
    SELECT h.id AS hold_id, t.id AS template_id FROM holds h
    JOIN templates p ON p.id = CASE WHEN h.scope = 'template' THEN h.target_id::integer END
    JOIN templates t ON t.business_account_id = p.business_account_id AND t.name = p.name AND t.language = p.language
      AND t.removed_at IS NULL AND t.status = 'APPROVED'
    WHERE h.lifted_at IS NULL AND h.cause = '${TEMPLATE_MISSING}'`,
};

/** held → claimable, with the template ($2) that was found: up to $3 of those that the hold ($1) keeps. */
export const RELEASE_FOUND: Statement = {
  name: 'binding_release_found',
  text: `
    WITH kept AS MATERIALIZED (
      SELECT message_log_id AS id FROM outbox WHERE held_by = $1 ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED
    ), released AS (
      UPDATE outbox o SET held_by = NULL, template_id = $2 FROM kept WHERE o.message_log_id = kept.id
      RETURNING kept.id, o.messaging_account_id
    ), logged AS (
      UPDATE message_logs m SET template_id = $2 FROM released r WHERE m.id = r.id
    )
    SELECT (SELECT count(*) FROM released) AS released, ${tellOf('released')}`,
};
