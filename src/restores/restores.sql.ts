import type { Statement } from '../database/database.js';

/**
 * Ids of messages and events that are left out at a restore: more than can have been given out since its moment (100 million a day for ten
 * days), few enough for a million restores (a tag has room for fifteen digits).
 */
const LEFT_OUT = 1_000_000_000;

/**
 * Notes a restore, once for its moment ($2), and has the ids of messages and events go on after all that were given out:
 * who has read events that are gone now misses none of the new ones.
 */
export const BEGIN: Statement = {
  name: 'restore_begin',
  text: `
    WITH begun AS MATERIALIZED (
      SELECT last_value + ${LEFT_OUT} AS last_id FROM message_logs_id_seq
      WHERE NOT EXISTS (SELECT FROM restores WHERE moment = $2::timestamptz)
    ), skipped AS MATERIALIZED (
      SELECT setval('event_stream_id_seq', last_value + ${LEFT_OUT}) FROM event_stream_id_seq
      WHERE EXISTS (SELECT FROM begun)
    )
    INSERT INTO restores (moment, lost_until, begun_at, first_message_id, last_delivery_id)
    SELECT $2::timestamptz, $3::timestamptz, $1::timestamptz, setval('message_logs_id_seq', last_id) + 1,
      (SELECT last_value FROM webhook_inbox_id_seq)
    FROM begun WHERE (SELECT count(*) FROM skipped) > 0`,
};

export const LATEST: Statement = {
  name: 'restore_latest',
  text: `
    SELECT id, moment, lost_until AS "lostUntil", begun_at AS "begunAt", first_message_id AS "firstMessageId",
      last_delivery_id AS "lastDeliveryId" FROM restores ORDER BY id DESC LIMIT 1`,
};

/** Deliveries since a restore, by their ids; the payload of those that had a receipt for no message. */
export const DELIVERIES_SINCE: Statement = {
  name: 'restore_deliveries_since',
  text: `
    SELECT id, CASE WHEN processed_at IS NOT NULL AND error IS NOT NULL THEN payload END AS payload
    FROM webhook_inbox WHERE id > $1 ORDER BY id LIMIT $2`,
};

export const LAST_DELIVERY: Statement = {
  name: 'restore_last_delivery',
  text: 'SELECT coalesce(max(id), 0) AS id FROM webhook_inbox',
};

/** Deliveries up to $1 that are not applied yet. */
export const WAITING: Statement = {
  name: 'restore_deliveries_waiting',
  text: `
    SELECT count(*) AS waiting FROM webhook_inbox WHERE processed_at IS NULL AND parked_at IS NULL AND id <= $1::bigint`,
};

/** Those of these ids ($1) that are messages. */
export const KNOWN: Statement = {
  name: 'restore_known_messages',
  text: 'SELECT id FROM message_logs WHERE id = ANY($1::bigint[])',
};

/** Campaigns that the restore has paused, with how many of their rows have no message. */
export const CAMPAIGNS: Statement = {
  name: 'restore_campaigns',
  timeout: 60_000,
  text: `
    SELECT c.id AS campaign_id, c.tenant_id, c.name, n.phone_number_id, (
      SELECT count(*) FROM campaign_recipients r WHERE r.campaign_id = c.id AND r.state = 'pending') AS rows_left
    FROM campaigns c JOIN messaging_accounts n ON n.id = c.messaging_account_id
    WHERE c.status = 'paused' AND c.cause ->> 'code' = $1 ORDER BY c.id`,
};

/** When a process of the service has last used the database, if after $1. Both times are by the database's clock. */
export const NEWER: Statement = {
  name: 'restore_newer',
  text: `
    SELECT max(used_at) AS newer FROM (
      SELECT leased_until - interval '3 seconds' AS used_at FROM worker_leases
      UNION ALL SELECT heard_until FROM webhook_hearing
    ) uses WHERE used_at > $1`,
};
