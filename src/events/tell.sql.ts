/**
 * A CTE's statement that tells of messages: one entry for each tenant and type, with the ids of its messages. It is part of
 * the statement that changes them, and reads the rows that this has changed: so what is done again and changes
 * nothing is not told again, and a position is drawn only when the messages are locked. `$1` is the service's time.
 * @param rows SQL of rows `(place, type, tenant_id, id, data)`: `place` is the order of the types, `data` what the
 * messages' records do not keep, as jsonb
 */
export const tellMessages = (rows: string) => `
      INSERT INTO event_stream (tenant_id, type, recorded_at, messages, data)
      SELECT tenant_id, type, $1::timestamptz, array_agg(id ORDER BY id),
        CASE WHEN count(data) > 0 THEN jsonb_agg(data ORDER BY id) END
      FROM (${rows}) told GROUP BY place, type, tenant_id ORDER BY place, tenant_id`;

/**
 * A CTE's statement that tells of recipients' opt-outs: an entry for each, drawn when the opt-outs are locked. `$1` is the
 * service's time.
 * @param rows SQL of rows `(tenant_id, phone, scope, source, reason, created_at)`, `created_at` being when it happened
 */
export const tellRecipients = (type: 'recipient.opted_out' | 'recipient.opted_in', rows: string) => `
      INSERT INTO event_stream (tenant_id, type, recorded_at, occurred_at, data)
      SELECT tenant_id, '${type}', $1::timestamptz, created_at,
        jsonb_build_object('phone', phone, 'scope', scope, 'source', source, 'reason', reason)
      FROM ${rows} ORDER BY tenant_id, phone`;

/**
 * A CTE's statement, or a whole one, that tells of anything else: an entry for each row, drawn when what it tells of is
 * locked.
 * @param rows SQL of rows `(place, tenant_id, type, occurred_at, data)`: `place` is their order, `data` all that the event
 * tells, as jsonb
 * @param now SQL of the service's time
 */
export const tellEvents = (rows: string, now = '$1::timestamptz') => `
      INSERT INTO event_stream (tenant_id, type, recorded_at, occurred_at, data)
      SELECT tenant_id, type, ${now}, occurred_at, data FROM (${rows}) told ORDER BY place`;
