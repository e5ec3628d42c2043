import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Database, type Statement } from '../database/database.js';

/** Milliseconds between two notes of a business account by one process. */
const INTERVAL = 60_000;

/** Notes when the webhook of each business account last came, for people who wait for the first one. */
@Injectable()
export class WebhookArrivals {
  private readonly logger = new Logger(WebhookArrivals.name);
  private readonly noted = new Map<string, number>();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Returns at once: a delivery is answered without waiting for it. */
  note(businessAccountIds: string[]): void {
    const now = this.clock.now();
    const due = businessAccountIds.filter(
      (id) => now.getTime() - (this.noted.get(id) ?? -Infinity) >= INTERVAL,
    );
    if (due.length === 0) return;
    for (const id of due) this.noted.set(id, now.getTime());
    this.database.run(SEEN, [due, now]).catch((error: Error) => {
      this.logger.debug(`Webhook not noted: ${error.message}`); // the next one is
      for (const id of due) this.noted.delete(id);
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
    UPDATE business_accounts b SET webhook_seen_at = greatest(b.webhook_seen_at, $2::timestamptz)
    FROM seen WHERE b.id = seen.id`,
};
