import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Database, type Statement } from '../database/database.js';
import { GroupCommit } from '../database/group-commit.js';
import { WebhookMetrics } from './webhook-metrics.js';

interface Delivery {
  payload: string;
  recognisable: boolean;
}

/** Deliveries in one commit at most; each may have 3 MB. */
const BATCH = 50;

/** The first thing that happens to a genuine delivery: it is on disk before it is answered. */
@Injectable()
export class InboxService {
  private readonly puts: GroupCommit<Delivery, undefined>;

  constructor(database: Database, clock: Clock, metrics: WebhookMetrics) {
    this.puts = new GroupCommit({
      maxBatch: BATCH,
      commit: async (deliveries) => {
        const [put] = await database.run<{ stored: number }>(PUT, [
          clock.now(),
          deliveries.map(({ payload }) => payload),
          deliveries.map(({ recognisable }) => recognisable),
        ]);
        metrics.repeated(deliveries.length - (put?.stored ?? 0));
        return deliveries.map(() => undefined);
      },
    });
  }

  /**
   * Resolves when the delivery is committed, by this call or by an earlier one.
   * @param recognisable whether the same bytes again are the same delivery again: it tells of nothing but messages
   */
  put(payload: string, recognisable: boolean): Promise<undefined> {
    return this.puts.submit({ payload, recognisable });
  }
}

/**
 * The provider repeats a delivery, byte for byte, until it has seen a 200. Receipts that are in the inbox already,
 * whatever became of them, are not stored again. Anything else is: the same words may tell of a second pause of the same
 * template, and the times decide then (SET_STATUS). The ids are in the order of arrival, in which deliveries are
 * applied; the inserts in that of the digests, so that two processes with the same deliveries do not block each other.
 */
const PUT: Statement = {
  name: 'inbox_put',
  text: `
    WITH item AS MATERIALIZED (
      SELECT nextval('webhook_inbox_id_seq') AS id, payload,
        CASE WHEN recognisable THEN sha256(convert_to(payload, 'UTF8')) END AS digest
      FROM unnest($2::text[], $3::boolean[]) AS delivery (payload, recognisable)
    ), put AS (
      INSERT INTO webhook_inbox (id, payload, digest, received_at, next_try_at)
      SELECT id, payload, digest, $1::timestamptz, $1::timestamptz FROM item ORDER BY digest, id
      ON CONFLICT (digest) DO NOTHING RETURNING 1
    )
    SELECT (SELECT count(*) FROM put) AS stored, (SELECT pg_notify('webhook_inbox', '') FROM put LIMIT 1)`,
};
