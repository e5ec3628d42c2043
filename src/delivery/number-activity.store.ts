import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Repeated } from '../common/repeated.js';
import { Database, type Statement } from '../database/database.js';

/** Milliseconds between two writes. */
const FLUSH_INTERVAL = 2_000;

/** Milliseconds that are counted together. */
const SLOT = 10_000;

/** Milliseconds for which a slot is kept. */
const AGE = 3_600_000;

interface Slot {
  messaging_account_id: number;
  slot: Date;
  sent: number;
}

/**
 * Tells people what each number has sent just now: counted in memory and written every other second, so that a send
 * pays nothing for it. A process that is killed takes the last two seconds of its count along.
 */
@Injectable()
export class NumberActivityStore implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(NumberActivityStore.name);
  private slots = new Map<string, Slot>();
  private readonly flushes = new Repeated(
    FLUSH_INTERVAL,
    () => this.flush(),
    // Only an indication: what could not be written is not worth keeping.
    (error) => this.logger.debug(`Activity of numbers not written: ${error.message}`),
  );

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.flushes.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.flushes.stop();
    this.flushes.run();
    await this.flushes.stop();
  }

  /** Counts a message that the provider has taken. */
  sent(messagingAccountId: number): void {
    const time = Math.floor(this.clock.now().getTime() / SLOT) * SLOT;
    const key = `${messagingAccountId}:${time}`;
    const slot = this.slots.get(key);
    if (slot) slot.sent += 1;
    else this.slots.set(key, { messaging_account_id: messagingAccountId, slot: new Date(time), sent: 1 });
  }

  private async flush(): Promise<void> {
    if (this.slots.size === 0) return;
    const slots = [...this.slots.values()];
    this.slots = new Map();
    const before = new Date(this.clock.now().getTime() - AGE);
    await this.database.run(ADD, [JSON.stringify(slots), before]);
  }
}

/** In the order of the key, so that two processes do not block each other. */
const ADD: Statement = {
  name: 'number_activity_add',
  text: `
    WITH item AS MATERIALIZED (
      SELECT * FROM json_to_recordset($1) AS i(messaging_account_id integer, slot timestamptz, sent integer)
    ), old AS (
      DELETE FROM number_activity
      WHERE messaging_account_id IN (SELECT messaging_account_id FROM item) AND slot < $2::timestamptz
    )
    INSERT INTO number_activity (messaging_account_id, slot, sent)
    SELECT messaging_account_id, slot, sent FROM item ORDER BY messaging_account_id, slot
    ON CONFLICT (messaging_account_id, slot) DO UPDATE SET sent = number_activity.sent + excluded.sent`,
};
