import type { Statement } from '../database/database.js';
import { CHANNELS } from '../database/notifications.js';
import { SHARDS } from './shards.js';

/*
 * How workers share the shards. A shard's row names the worker that holds it; the worker's own row says until when, so that
 * a renewal writes one row, however many shards there are. $1 is the worker. By PostgreSQL's clock, as those of the
 * workers' machines may differ by more than a lease.
 */

/** A lease that ended so long ago is that of a worker that is gone. */
const GONE = '1 minute';

/**
 * Renews the lease for $2 seconds, and takes shards up to the worker's part: of those that are free, and of those that
 * other workers have beyond theirs. With 3 workers, parts are of 21 or 22: it takes what others have beyond 22 up to 22,
 * and what they have beyond 21 up to 21, so that an even distribution stays as it is. What two workers want at the same
 * time is taken by one of them; the other one takes its part with its next renewal. Nobody waits for anybody.
 */
export const KEEP_SHARDS: Statement = {
  name: 'shards_keep',
  text: `
    WITH renewed AS (
      INSERT INTO worker_leases (worker_id, leased_until) VALUES ($1, now() + make_interval(secs => $2::double precision))
      ON CONFLICT (worker_id) DO UPDATE SET leased_until = excluded.leased_until
    ), forgotten AS (
      DELETE FROM worker_leases WHERE leased_until < now() - interval '${GONE}' AND worker_id <> $1
    ), live AS MATERIALIZED (
      SELECT $1::uuid AS worker_id UNION SELECT worker_id FROM worker_leases WHERE leased_until > now()
    ), part AS MATERIALIZED (
      SELECT count(*) AS workers, ${SHARDS} / count(*) AS least, (${SHARDS - 1} + count(*)) / count(*) AS most FROM live
    ), shard AS MATERIALIZED (
      SELECT s.id, s.worker_id, l.worker_id AS holder, row_number() OVER (PARTITION BY l.worker_id ORDER BY s.id) AS place
      FROM shards s LEFT JOIN live l USING (worker_id)
    ), spare AS (
      SELECT s.id, s.worker_id, CASE WHEN s.holder IS NULL OR s.place > p.most THEN p.most ELSE p.least END AS up_to,
        (SELECT count(*) FROM shard WHERE holder = $1)
          -- Free ones first, in any order, as others take of them too; then those of whoever has most.
          + row_number() OVER (ORDER BY s.holder IS NOT NULL, CASE WHEN s.holder IS NOT NULL THEN s.place END DESC, random())
          AS count
      FROM shard s, part p WHERE s.holder IS DISTINCT FROM $1 AND (s.holder IS NULL OR s.place > p.least)
    ), chosen AS MATERIALIZED (
      SELECT s.id FROM shards s JOIN spare USING (id)
      WHERE spare.count <= spare.up_to AND s.worker_id IS NOT DISTINCT FROM spare.worker_id
      FOR UPDATE OF s SKIP LOCKED
    ), taken AS (
      UPDATE shards s SET worker_id = $1 FROM chosen WHERE s.id = chosen.id RETURNING s.id
    )
    SELECT workers, ARRAY(SELECT id FROM shard WHERE holder = $1 UNION ALL SELECT id FROM taken) AS shards FROM part`,
};

/** Ends the lease, and tells the other workers, if there are any. */
export const RELEASE_SHARDS: Statement = {
  name: 'shards_release',
  text: `
    WITH ended AS (
      DELETE FROM worker_leases WHERE worker_id = $1 RETURNING 1
    )
    SELECT pg_notify('${CHANNELS.shardsFree}', '') FROM ended
    WHERE EXISTS (SELECT FROM worker_leases WHERE worker_id <> $1 AND leased_until > now())`,
};
