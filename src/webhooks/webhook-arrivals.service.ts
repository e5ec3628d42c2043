import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Config } from '../config/config.js';
import { Database, type Statement } from '../database/database.js';

/** The most milliseconds between two notes about a business account by one process. */
const INTERVAL = 60_000;

/** What a delivery contains: only messages and receipts, or something else. */
type Kind = 'messages' | 'other';

/**
 * Notes when webhooks of each business account arrive: for people who wait for the first one, and for messages with an
 * unknown outcome. A missing receipt tells something only while other receipts do arrive (see RESOLVE_UNKNOWN).
 */
@Injectable()
export class WebhookArrivalsService {
  private readonly logger = new Logger(WebhookArrivalsService.name);
  /** Time of the last note, by kind and business account. */
  private readonly noted = new Map<string, number>();
  /** Milliseconds between two notes: a part of UNKNOWN_OUTCOME_WINDOW, so that notes leave no gap as long as that. */
  private readonly interval: number;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {
    this.interval = Math.min(INTERVAL, (config.UNKNOWN_OUTCOME_WINDOW * 1000) / 4);
  }

  /** Returns at once: a delivery is answered without waiting for it. */
  note(businessAccountIds: string[], kind: Kind): void {
    const now = this.clock.now();
    const keyOf = (id: string) => `${kind} ${id}`;
    const due = businessAccountIds.filter(
      (id) => now.getTime() - (this.noted.get(keyOf(id)) ?? -Infinity) >= this.interval,
    );
    if (due.length === 0) return;
    for (const id of due) this.noted.set(keyOf(id), now.getTime());
    const values = [due, now, kind === 'messages', this.config.UNKNOWN_OUTCOME_WINDOW];
    this.database.run(SEEN, values).catch((error: Error) => {
      this.logger.debug(`Webhook not noted: ${error.message}`); // the next one is
      for (const id of due) this.noted.delete(keyOf(id));
    });
  }
}

/** In the order of the ids, so that two processes do not block each other. */
const SEEN: Statement = {
  name: 'webhook_seen',
  text: `
    WITH seen AS MATERIALIZED (
      SELECT id FROM business_accounts WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE
    )
    UPDATE business_accounts b SET
      webhook_seen_at = greatest(b.webhook_seen_at, $2::timestamptz),
      receipts_seen_until = CASE WHEN $3 THEN greatest(b.receipts_seen_until, $2::timestamptz) ELSE b.receipts_seen_until END,
      receipts_seen_since = CASE
        WHEN $3 AND (b.receipts_seen_until >= $2::timestamptz - make_interval(secs => $4::double precision)) IS NOT TRUE
        THEN $2::timestamptz ELSE b.receipts_seen_since END
    FROM seen WHERE b.id = seen.id`,
};
