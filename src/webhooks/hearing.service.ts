import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Database, type Statement } from '../database/database.js';

/** Milliseconds between two notes. */
const INTERVAL = 2_000;

/**
 * Notes that this API process could take webhooks. While none can, or the database is out, receipts are not heard, and
 * their absence must not make a message be sent again: see RESOLVE_UNKNOWN.
 */
@Injectable()
export class HearingService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(HearingService.name);
  private timer?: NodeJS.Timeout;
  private noting?: Promise<void> | undefined;

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.note(), INTERVAL);
    this.note();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.noting;
  }

  private note(): void {
    this.noting ??= this.database
      .run(HEAR)
      .then(() => undefined)
      .catch((error: Error) => this.logger.debug(`Hearing not noted: ${error.message}`)) // that is the gap
      .finally(() => (this.noting = undefined));
  }
}

/** By the database's clock alone: those of the processes may differ. Ten seconds without a note are a gap. */
const HEAR: Statement = {
  name: 'webhook_hear',
  text: `
    INSERT INTO webhook_hearing AS h (id, heard_since, heard_until) VALUES (1, now(), now())
    ON CONFLICT (id) DO UPDATE SET heard_until = now(),
      heard_since = CASE WHEN h.heard_until < now() - interval '10 seconds' THEN now() ELSE h.heard_since END`,
};
