import type { Statement } from '../database/database.js';

/** Messages of each kind (`prompt`, `late`) that one count reads at most: twice the largest limit that there is. */
export const MOST_COUNTED = 250_000;

/** Rows that one statement deletes at most. */
export const FORGET_BATCH = 5_000;

/** Takes the turn of a tenant whose count is due, until $2. */
export const TAKE_TENANT: Statement = {
  name: 'portfolio_use_take',
  text: `
    UPDATE business_accounts SET recipients_due_at = $2::timestamptz
    WHERE recipients_due_at <= $1::timestamptz AND tenant_id = (
      SELECT tenant_id FROM business_accounts WHERE recipients_due_at <= $1::timestamptz
      ORDER BY recipients_due_at LIMIT 1)
    RETURNING tenant_id`,
};

const SENT = 'm.phone, m.messaging_account_id, m.sent_at, m.status';

/**
/**
 * How many people each portfolio of a tenant ($1) has reached since $2; an account without a known portfolio counts by
 * itself. Messages sent within an hour of acceptance are found by that time, the others are noted in `late_sends`.
 */
export const COUNT_RECIPIENTS: Statement = {
  name: 'portfolio_use_count',
  timeout: 60_000, // it may have to read them from disk
  text: `
    WITH prompt AS MATERIALIZED (
      SELECT ${SENT} FROM message_logs m
      WHERE m.tenant_id = $1 AND m.created_at >= $2::timestamptz - interval '1 hour'
      ORDER BY m.created_at DESC LIMIT ${MOST_COUNTED}
    ), late AS MATERIALIZED (
      SELECT ${SENT} FROM (
        SELECT message_log_id FROM late_sends WHERE tenant_id = $1 AND sent_at >= $2::timestamptz
        ORDER BY sent_at DESC LIMIT ${MOST_COUNTED}
      ) l CROSS JOIN LATERAL (
        -- One by one, by the key: the planner would rather read the whole log.
        SELECT * FROM message_logs WHERE id = l.message_log_id LIMIT 1
      ) m
    )
    SELECT coalesce(b.portfolio_id, b.id::text) AS portfolio, count(DISTINCT m.phone) AS recipients
    FROM (SELECT * FROM prompt UNION ALL SELECT * FROM late) m
    JOIN messaging_accounts n ON n.id = m.messaging_account_id
    JOIN business_accounts b ON b.id = n.business_account_id
    WHERE m.sent_at >= $2::timestamptz AND m.status <> 'failed'
    GROUP BY 1
    UNION ALL
    SELECT NULL, greatest((SELECT count(*) FROM prompt), (SELECT count(*) FROM late))`,
};

/** Late sends of a tenant ($1) before $2 are not counted any more; by their places in the table, as idempotency_keys. */
export const FORGET_LATE: Statement = {
  name: 'portfolio_use_forget',
  text: `
    DELETE FROM late_sends WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM late_sends WHERE tenant_id = $1 AND sent_at < $2::timestamptz ORDER BY sent_at
      LIMIT ${FORGET_BATCH}))
    RETURNING 1`,
};

export const STORE_RECIPIENTS: Statement = {
  name: 'portfolio_use_store',
  text: `
    UPDATE business_accounts b SET recipients = coalesce(c.recipients, 0), recipients_is_more = $3,
      recipients_counted_at = $4, recipients_due_at = $5
    FROM business_accounts own LEFT JOIN json_to_recordset($2) AS c(portfolio text, recipients integer)
      ON c.portfolio = coalesce(own.portfolio_id, own.id::text)
    WHERE own.tenant_id = $1 AND b.id = own.id`,
};
