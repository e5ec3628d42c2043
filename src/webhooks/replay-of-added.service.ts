import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { ACCOUNT_CACHES } from '../accounts/account-caches.js';
import { Clock } from '../common/clock.js';
import { Repeated } from '../common/repeated.js';
import { Database, type Statement } from '../database/database.js';
import { CHANNELS, Notifications } from '../database/notifications.js';

/** Milliseconds between two looks without a notification: an account may have been added while this worker was down. */
const CLOCK = 600_000;

/** Milliseconds until a second look: a worker that did not know the account yet may put a delivery aside meanwhile. */
const AGAIN = 3_000;

/** The most deliveries that one statement replays. */
const BATCH = 500;

/** When a business account is added, makes workers apply the deliveries that were put aside for it. */
@Injectable()
export class ReplayOfAddedService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(ReplayOfAddedService.name);
  private again?: NodeJS.Timeout;
  private readonly looks = new Repeated(
    CLOCK,
    () => this.look(),
    (error) => this.logger.warn(`Deliveries of new accounts not looked for: ${error.message}`),
  );

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    notifications: Notifications,
  ) {
    notifications.on(CHANNELS.changed, (payload) => {
      if (payload === null || payload.startsWith(`${ACCOUNT_CACHES.secretsByWaba}:`)) this.lookTwice();
    });
  }

  onApplicationBootstrap(): void {
    this.looks.start();
    this.looks.run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearTimeout(this.again);
    await this.looks.stop();
  }

  private lookTwice(): void {
    this.looks.run();
    clearTimeout(this.again);
    this.again = setTimeout(() => this.looks.run(), AGAIN);
  }

  private async look(): Promise<void> {
    const now = this.clock.now();
    await this.database.run(END_ALERTS, [now]);
    let replayed = BATCH;
    while (replayed === BATCH) {
      const [result] = await this.database.run<{ replayed: number }>(REPLAY_ADDED, [now, BATCH]);
      replayed = result?.replayed ?? 0;
      if (replayed > 0) this.logger.log({ message: 'Deliveries of new accounts replayed', replayed });
    }
  }
}

const END_ALERTS: Statement = {
  name: 'alerts_end_unknown_accounts',
  text: `
    UPDATE alerts SET ended_at = $1, ended_by = 'added'
    WHERE kind = 'unknown_account' AND ended_at IS NULL AND subject IN (SELECT waba_id FROM business_accounts)`,
};

/** Deliveries that wait for accounts of which at least one is known now. Then they wait again for the others. */
export const REPLAY_ADDED: Statement = {
  name: 'inbox_replay_added',
  text: `
    WITH replayed AS (
      UPDATE webhook_inbox SET parked_at = NULL, error = NULL, tries = 0, next_try_at = $1::timestamptz
      WHERE parked_at IS NOT NULL AND id = ANY(ARRAY(
        SELECT id FROM webhook_inbox
        WHERE parked_at IS NOT NULL AND unknown_accounts IS NOT NULL
          AND unknown_accounts && ARRAY(SELECT waba_id FROM business_accounts)
        ORDER BY id LIMIT $2))
      RETURNING 1
    )
    SELECT (SELECT count(*) FROM replayed) AS replayed,
      (SELECT pg_notify('webhook_inbox', '') FROM replayed LIMIT 1)`,
};
