/** SQL of what sets the entry of a message `m` apart. */
interface EntryValues {
  /** The hold on its template that keeps it. */
  heldBy?: string;
  /** While it is claimed: when its outcome is decided. */
  resolveAt?: string;
}

/**
 * SQL that gives each waiting message of the log that has no entry in the outbox one, due at its schedule, else at its
 * acceptance: for messages that were put into the log by SQL.
 */
export function fillOutbox({ heldBy = 'NULL', resolveAt = 'NULL' }: EntryValues = {}): string {
  return `
    INSERT INTO outbox (message_log_id, tenant_id, messaging_account_id, template_id, category, campaign_id, campaign_row,
      created_at, due_at, held_by, attempts, first_attempt_at, resolve_at)
    SELECT m.id, m.tenant_id, m.messaging_account_id, m.template_id, m.conversation_category, m.campaign_id,
      m.campaign_row, m.created_at, coalesce(m.scheduled_at, m.created_at), ${heldBy},
      CASE WHEN c.resolve_at IS NULL THEN 0 ELSE 1 END, CASE WHEN c.resolve_at IS NOT NULL THEN now() END, c.resolve_at
    FROM message_logs m CROSS JOIN LATERAL (SELECT (${resolveAt})::timestamptz AS resolve_at) c
    WHERE m.status IN ('scheduled', 'queued') AND NOT EXISTS (SELECT FROM outbox WHERE message_log_id = m.id)
    ON CONFLICT DO NOTHING;`;
}

/** SQL of the messages whose entry in the outbox is missing, left behind, or says something else: never any. */
export const MISPLACED = `
  SELECT coalesce(m.id, o.message_log_id) AS id, m.status, o.message_log_id IS NOT NULL AS has_entry
  FROM message_logs m FULL JOIN outbox o ON o.message_log_id = m.id
  WHERE (m.status IN ('scheduled', 'queued')) IS DISTINCT FROM (o.message_log_id IS NOT NULL)
    OR (o.message_log_id IS NOT NULL AND
      (m.tenant_id, m.messaging_account_id, m.template_id, m.conversation_category, m.campaign_id, m.campaign_row, m.created_at)
      IS DISTINCT FROM
      (o.tenant_id, o.messaging_account_id, o.template_id, o.category, o.campaign_id, o.campaign_row, o.created_at))`;
