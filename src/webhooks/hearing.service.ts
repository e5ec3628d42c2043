import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Repeated } from '../common/repeated.js';
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
  private readonly notes = new Repeated(
    INTERVAL,
    () => this.database.run(HEAR),
    (error) => this.logger.debug(`Hearing not noted: ${error.message}`), // that is the gap
  );

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    this.notes.start();
    this.notes.run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.notes.stop();
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
