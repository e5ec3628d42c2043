import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Config } from '../config/config.js';
import { Database, type Statement } from '../database/database.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Deletes old campaigns and their lists after the same time as messages: both contain personal data. */
@Injectable()
export class CampaignExpiryService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(CampaignExpiryService.name);
  private timer?: NodeJS.Timeout;
  private running?: Promise<void>;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.look(), HOUR);
    this.clock.onLeap(() => this.look());
  }

  private look(): void {
    this.running = this.expire().catch((error: unknown) =>
      this.logger.warn(`Old campaigns not deleted, the next hour tries again: ${(error as Error).message}`),
    );
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** Deletes what ended RETENTION_MESSAGES days ago, and drafts as old. One a statement: it may have 100,000 rows. */
  async expire(): Promise<void> {
    const age = this.config.RETENTION_MESSAGES * DAY;
    if (age === 0) return;
    const before = new Date(this.clock.now().getTime() - age);
    let deleted: unknown[];
    do deleted = await this.database.run(EXPIRE, [before]);
    while (deleted.length > 0);
  }
}

export const EXPIRE: Statement = {
  name: 'campaign_expire',
  text: `
    WITH expired AS (
      DELETE FROM campaigns WHERE id = (
        SELECT id FROM campaigns WHERE ended_at < $1 OR (status = 'draft' AND created_at < $1)
        ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING id
    ), places AS (
      DELETE FROM campaign_messages WHERE campaign_id = (SELECT id FROM expired)
    )
    SELECT id FROM expired`,
};
