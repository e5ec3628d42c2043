import type { Statement } from '../database/database.js';

/** The recipient has stopped marketing messages from this sender. */
const OPTED_OUT = 131050;

/** For now the provider delivers no more marketing to the recipient, from any sender. This is no complaint. */
const MARKETING_CAP = 131049;

const failedWith = (code: number) =>
  `count(*) FILTER (WHERE m.status = 'failed' AND m.error ->> 'code' = '${code}')`;

/** The counts of messages `m`; the same list for roll-ups and for the present hour, which is counted when read. */
export const COUNTS = `
  count(*) AS accepted,
  count(m.sent_at) AS sent,
  count(m.delivered_at) AS delivered,
  count(m.read_at) AS read,
  count(*) FILTER (WHERE m.status = 'failed') AS failed,
  ${failedWith(OPTED_OUT)} AS opted_out,
  ${failedWith(MARKETING_CAP)} AS capped,
  coalesce(sum(m.cost) FILTER (WHERE m.status NOT IN ('failed', 'canceled')), 0) AS cost`;

const COUNTED = [
  'accepted',
  'sent',
  'delivered',
  'read',
  'failed',
  'opted_out',
  'capped',
  'cost',
  'last_due_at',
];
const list = (table: string) => COUNTED.map((column) => `${table}.${column}`).join(', ');

/**
 * Counts anew the messages that were accepted from $1 to $2, both full hours. Rows without messages any more stay as
 * they are. Writes only what has changed, in the order of the key, so that two runs do not block each other. It has no
 * name, so that it is planned for these times: a general plan might read an index from end to end.
 */
export const RECOUNT: Statement = {
  name: '',
  timeout: 120_000, // a day may have millions of messages
  text: `
    INSERT INTO message_stats (tenant_id, hour, messaging_account_id, template_id, category, currency,
      ${COUNTED.join(', ')})
    SELECT t.id, c.* FROM tenants t CROSS JOIN LATERAL (
      SELECT date_trunc('hour', m.created_at, 'UTC') AS hour, m.messaging_account_id, m.template_id,
        m.conversation_category, m.currency, ${COUNTS},
        max(coalesce(m.scheduled_at, m.created_at)) AS last_due_at
      FROM message_logs m
      WHERE m.tenant_id = t.id AND m.created_at >= $1::timestamptz AND m.created_at < $2::timestamptz
      GROUP BY 1, 2, 3, 4, 5
    ) c
    ORDER BY t.id, c.hour, c.messaging_account_id, c.template_id, c.conversation_category, c.currency
    ON CONFLICT (tenant_id, hour, messaging_account_id, template_id, category, currency) DO UPDATE SET
      ${COUNTED.map((column) => `${column} = excluded.${column}`).join(', ')}
    WHERE (${list('message_stats')}) IS DISTINCT FROM (${list('excluded')})`,
};

/** Takes the turn of a pass ($1) that is due, until $3. Answers when it was last complete. */
export const TAKE_PASS: Statement = {
  name: 'message_stats_take_pass',
  text: `
    INSERT INTO message_stats_passes AS p (name, due_at) VALUES ($1, $3)
    ON CONFLICT (name) DO UPDATE SET due_at = $3 WHERE p.due_at <= $2::timestamptz
    RETURNING p.counted_at`,
};

export const END_PASS: Statement = {
  name: 'message_stats_end_pass',
  text: 'UPDATE message_stats_passes SET counted_at = $2, due_at = $3 WHERE name = $1',
};

export const OLDEST_MESSAGE: Statement = {
  name: 'message_stats_oldest',
  text: `
    SELECT min(first.created_at) AS at FROM tenants t CROSS JOIN LATERAL (
      SELECT created_at FROM message_logs WHERE tenant_id = t.id ORDER BY created_at LIMIT 1
    ) first`,
};

/** Hours before $1 with messages that are due after $1: they change as much as those accepted after it. */
export const LATE_HOURS: Statement = {
  name: 'message_stats_late_hours',
  text: `
    SELECT DISTINCT hour FROM message_stats
    WHERE hour < $1::timestamptz AND hour >= $2::timestamptz AND last_due_at >= $1::timestamptz ORDER BY hour`,
};
