import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Heartbeats } from '../common/heartbeat.js';
import { Repeated } from '../common/repeated.js';
import { InboxService } from './inbox.service.js';

/** Milliseconds between two notes. */
const INTERVAL = 2_000;

/** Milliseconds without a note after which the process is not ready. */
const PATIENCE = 10_000;

/**
 * Notes that this API process can take webhooks. While no process can, or the database is down, receipts cannot arrive:
 * then a missing receipt must not cause a message to be sent again. See RESOLVE_UNKNOWN.
 */
@Injectable()
export class HearingService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(HearingService.name);
  private readonly notes: Repeated;

  constructor(inbox: InboxService, heartbeats: Heartbeats) {
    this.notes = new Repeated(
      INTERVAL,
      () => inbox.hear(),
      (error) => this.logger.debug(`Hearing not noted: ${error.message}`), // the missing note is the gap
      heartbeats.add('storing webhooks', PATIENCE),
    );
  }

  onApplicationBootstrap(): void {
    this.notes.start();
    this.notes.run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.notes.stop();
  }
}
