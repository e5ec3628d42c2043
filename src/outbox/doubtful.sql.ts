import type { Statement } from '../database/database.js';
import { failWaiting, tellOf } from '../messages/message-effects.sql.js';

/*
 * The arrows of doubtful messages: those that the database had before it was restored to an earlier moment, and that may
 * have been sent after that moment (docs/operations.md, "Backups"). `$1` is the service's time where it is needed.
 */

const REASON = `jsonb_build_object('code', NULL, 'title', 'The database was restored to an earlier moment', 'details',
        'What was due before the restore may have been sent already.')`;

/**
 * queued | scheduled | sending → held: what was due by $2, among the next $4 entries after $3, by their ids. One hold for each
 * business account keeps its messages, whatever kept them before: that may have ended after the moment. A claim is undone, as
 * whoever made it is gone. Their time for retries begins anew.
 */
export const HOLD_DOUBTFUL: Statement = {
  name: 'outbox_hold_doubtful',
  timeout: 60_000,
  text: `
    WITH looked AS MATERIALIZED (
      SELECT message_log_id AS id, tenant_id, messaging_account_id, due_at FROM outbox
      WHERE message_log_id > $3::bigint ORDER BY message_log_id LIMIT $4::bigint
    ), doubtful AS MATERIALIZED (
      SELECT l.id, l.tenant_id, (
        SELECT n.business_account_id::text FROM messaging_accounts n WHERE n.id = l.messaging_account_id) AS target_id
      FROM looked l WHERE l.due_at <= $2::timestamptz
    ), placed AS (
      INSERT INTO holds (tenant_id, scope, target_id, cause, error, created_at, next_probe_at)
      SELECT DISTINCT tenant_id, 'restore', target_id, 'restored', ${REASON}, $1::timestamptz, 'infinity'::timestamptz
      FROM doubtful
      ON CONFLICT (scope, target_id) WHERE lifted_at IS NULL DO UPDATE SET error = excluded.error
      RETURNING id, target_id
    ), held AS (
      UPDATE outbox o SET held_by = p.id, resolve_at = NULL, first_attempt_at = NULL
      FROM doubtful d JOIN placed p USING (target_id) WHERE o.message_log_id = d.id
      RETURNING 1
    )
    SELECT (SELECT max(id) FROM looked) AS last, (SELECT count(*) FROM held) AS held`,
};

/** SQL of the open holds of restores. */
export const RESTORE_HOLDS = `SELECT id FROM holds WHERE scope = 'restore' AND lifted_at IS NULL`;

/** held → queued for those of these messages ($1) that are doubtful. */
export const SEND_DOUBTFUL: Statement = {
  name: 'outbox_send_doubtful',
  text: `
    WITH sent AS (
      UPDATE outbox o SET held_by = NULL
      WHERE o.message_log_id = ANY($1::bigint[]) AND o.held_by = ANY(ARRAY(${RESTORE_HOLDS}))
      RETURNING o.messaging_account_id
    )
    SELECT (SELECT count(*) FROM sent) AS settled, ${tellOf('sent')}`,
};

const NOT_SENT_AGAIN = `jsonb_build_object('code', NULL, 'title', 'Not sent again after a restore', 'details',
        'The database was restored to a moment before this message was due to leave. It may have been sent since.')`;

/**
 * held → failed, with refund, for up to $3 doubtful messages: of these ($2), or of all. Whoever decides this takes them for sent,
 * so an auto-retry is not made.
 */
export const FAIL_DOUBTFUL: Statement = {
  name: 'outbox_fail_doubtful',
  timeout: 60_000,
  text: `
    WITH oldest AS MATERIALIZED (
      SELECT o.message_log_id AS id FROM outbox o
      WHERE o.held_by = ANY(ARRAY(${RESTORE_HOLDS})) AND ($2::bigint[] IS NULL OR o.message_log_id = ANY($2))
      ORDER BY o.held_by, o.due_at LIMIT $3::bigint
    ), chosen AS MATERIALIZED (
      -- In the order of their ids, as receipts do.
      SELECT message_log_id AS id FROM outbox
      WHERE message_log_id = ANY(ARRAY(SELECT id FROM oldest)) AND held_by = ANY(ARRAY(${RESTORE_HOLDS}))
      ORDER BY message_log_id FOR UPDATE
    ), ${failWaiting(NOT_SENT_AGAIN)}
    SELECT count(*) AS settled FROM failed`,
};
