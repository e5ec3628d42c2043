import type { Statement } from '../../database/database.js';

/** Entries that are looked at in one go, where only some types are asked for: they may be rare among many. */
export const WINDOW = 500;

/**
 * Up to $5 events of a tenant ($1) after a position, the $3rd event of entry $2, up to the horizon $4, of these types ($7;
 * null: of all), among the next $6 entries. What an event tells of a message stands in the message's record. At least
 * one row, where there is no event: how many entries were looked at, the last of them, the last entry of anybody up to the
 * horizon, and up to where old entries have been deleted.
 */
export const READ_EVENTS: Statement = {
  name: 'events_read',
  text: `
    WITH looked AS MATERIALIZED (
      SELECT id, type, recorded_at, occurred_at, messages, data FROM event_stream
      -- As pairs: by a tenant and an order of ids, the planner may take the primary key, and read what others have.
      WHERE (tenant_id, id) >= ($1::uuid, $2::bigint) AND (tenant_id, id) <= ($1::uuid, $4::bigint)
      ORDER BY tenant_id, id LIMIT $6
    ), sized AS (
      SELECT *, sum(coalesce(cardinality(messages), 1)) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING)
        - coalesce(cardinality(messages), 1) AS before
      FROM looked
      WHERE ($7::text[] IS NULL OR type = ANY($7)) AND (id > $2 OR coalesce(cardinality(messages), 1) > $3::integer)
    ), told AS (
      SELECT s.id AS entry, s.type, s.recorded_at, s.occurred_at, coalesce(n.ordinal, 1) AS ordinal, n.message,
        CASE WHEN s.messages IS NULL THEN s.data ELSE s.data -> (n.ordinal::integer - 1) END AS data
      FROM sized s LEFT JOIN LATERAL unnest(s.messages) WITH ORDINALITY n(message, ordinal) ON true
      -- Of the first entry, some may have been read: these are no more than it has.
      WHERE s.before < $5::bigint + CASE WHEN $3::integer < ${2_147_483_647} THEN $3::integer ELSE 0 END
        AND (s.id > $2 OR coalesce(n.ordinal, 1) > $3::integer)
      ORDER BY s.id, n.ordinal LIMIT $5
    )
    SELECT l.looked, l.looked_to, l.newest, l.deleted_to, t.*, n.api_id, m.phone, m.template_name, m.language,
      m.conversation_category, m.cost, m.currency, m.scheduled_at, m.campaign_id, m.retry_of, m.provider_message_id,
      m.client_reference, m.metadata, m.created_at, m.sent_at, m.delivered_at, m.read_at
    FROM (
      SELECT (SELECT count(*) FROM looked) AS looked, (SELECT max(id) FROM looked) AS looked_to,
        (SELECT id FROM event_stream WHERE id <= $4 ORDER BY id DESC LIMIT 1) AS newest,
        (SELECT events_deleted_to FROM installation) AS deleted_to
    ) l
    LEFT JOIN told t ON true
    LEFT JOIN LATERAL (SELECT * FROM message_logs WHERE id = t.message LIMIT 1) m ON true
    LEFT JOIN messaging_accounts n ON n.id = m.messaging_account_id
    ORDER BY t.entry, t.ordinal`,
};
