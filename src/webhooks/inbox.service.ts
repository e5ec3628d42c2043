import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Database, type Statement } from '../database/database.js';
import { QueueFullError } from '../database/database-errors.js';
import { GroupCommit } from '../database/group-commit.js';
import { WebhookMetrics } from './webhook-metrics.js';

interface Delivery {
  payload: string;
  recognisable: boolean;
}

/** Deliveries in one commit at most; each may have 3 MB. */
const BATCH = 50;

/** Milliseconds after a failure to store, in which webhooks count as not heard: until then the delivery comes again. */
const DEAF_FOR = 60_000;

/** Milliseconds. After a commit that took longer, waiting deliveries get a 503, and come again. */
const PATIENCE = 2_000;

/** Characters of deliveries that wait to be stored; more get a 503, and come again. */
const MOST_WAITING = 64 * 1024 * 1024;

/** Stores a genuine delivery before anything else: it is on disk before it is answered. */
@Injectable()
export class InboxService {
  /** Null stands for a mere check that a delivery could be stored now. */
  private readonly puts: GroupCommit<Delivery | null, undefined>;
  /** When storing a delivery last failed; reset when one is stored. */
  private failedAt = -Infinity;
  /** When a delivery was turned away because too much was waiting. */
  private refusedAt = -Infinity;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly metrics: WebhookMetrics,
  ) {
    this.puts = new GroupCommit({
      maxBatch: BATCH,
      patience: PATIENCE,
      mostWaiting: MOST_WAITING,
      weightOf: (item) => item?.payload.length ?? 0,
      commit: async (items) => {
        await this.putAll(items.filter((item) => item !== null));
        if (items.includes(null)) await this.noteHearing();
        return items.map(() => undefined);
      },
    });
  }

  /**
   * Resolves when the delivery is committed, by this call or by an earlier one.
   * @param recognisable whether the same bytes mean the same delivery: true when it has only messages and receipts
   * @throws QueueFullError when too much is waiting
   */
  async put(payload: string, recognisable: boolean): Promise<undefined> {
    try {
      return await this.puts.submit({ payload, recognisable });
    } catch (error) {
      if (error instanceof QueueFullError) this.refusedAt = performance.now();
      throw error;
    }
  }

  /** Notes that webhooks can be stored now, unless that failed recently. The note shares the commits of deliveries. */
  hear(): Promise<undefined> {
    return this.puts.submit(null);
  }

  /** In one commit. @returns how many were not in the inbox yet */
  async putAll(deliveries: Delivery[]): Promise<number> {
    if (deliveries.length === 0) return 0;
    try {
      const [put] = await this.database.run<{ stored: number }>(PUT, [
        this.clock.now(),
        deliveries.map(({ payload }) => payload),
        deliveries.map(({ recognisable }) => recognisable),
      ]);
      const stored = put?.stored ?? 0;
      this.metrics.repeated(deliveries.length - stored);
      this.failedAt = -Infinity;
      return stored;
    } catch (error) {
      this.failedAt = performance.now();
      throw error;
    }
  }

  /** After a recent failure it only checks whether deliveries can be stored again, which makes the process ready. */
  private async noteHearing(): Promise<void> {
    const isDeaf = performance.now() - Math.max(this.failedAt, this.refusedAt) < DEAF_FOR;
    await this.database.run(isDeaf ? TOUCH : HEAR);
  }
}

/**
 * The provider repeats a delivery, byte for byte, until it has seen a 200. Receipts that came in the last days
 * (webhook_digests) are not stored again, whatever became of them. Other deliveries are: the same bytes may mean a second pause of the same
 * template, and then the times decide (SET_STATUS). Ids follow the order of arrival, in which deliveries are applied.
 * Digests are inserted in their order, so that two processes with the same deliveries do not block each other.
 */
export const PUT: Statement = {
  name: 'inbox_put',
  text: `
    WITH item AS MATERIALIZED (
      SELECT nextval('webhook_inbox_id_seq') AS id, payload,
        CASE WHEN recognisable THEN sha256(convert_to(payload, 'UTF8')) END AS digest
      FROM unnest($2::text[], $3::boolean[]) AS delivery (payload, recognisable)
    ), first AS MATERIALIZED (
      SELECT digest, min(id) AS id FROM item WHERE digest IS NOT NULL GROUP BY digest
    ), fresh AS (
      INSERT INTO webhook_digests (digest, received_at) SELECT digest, $1::timestamptz FROM first ORDER BY digest
      ON CONFLICT DO NOTHING RETURNING digest
    ), put AS (
      INSERT INTO webhook_inbox (id, payload, received_at, next_try_at)
      SELECT id, payload, $1::timestamptz, $1::timestamptz FROM item
      WHERE digest IS NULL OR id IN (SELECT id FROM first JOIN fresh USING (digest)) ORDER BY id
      RETURNING 1
    )
    SELECT (SELECT count(*) FROM put) AS stored, (SELECT pg_notify('webhook_inbox', '') FROM put LIMIT 1)`,
};

/** Fails when a delivery could not be stored, as the table or the database is missing. */
export const TOUCH: Statement = { name: 'inbox_touch', text: 'SELECT FROM webhook_inbox WHERE id = 0' };

/** Uses only the database's clock, as those of processes may differ. Ten seconds without a note are a gap. */
const HEAR: Statement = {
  name: 'webhook_hear',
  text: `
    INSERT INTO webhook_hearing AS h (id, heard_since, heard_until) VALUES (1, now(), now())
    ON CONFLICT (id) DO UPDATE SET heard_until = now(),
      heard_since = CASE WHEN h.heard_until < now() - interval '10 seconds' THEN now() ELSE h.heard_since END`,
};
