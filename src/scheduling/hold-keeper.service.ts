import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { MessageLogStore } from '../messages/message-log.store.js';

/** Milliseconds between two looks. */
const CLOCK = 1_000;

/** Lets messages go when their template's hold has ended or may be probed, and fails codes that waited too long. */
@Injectable()
export class HoldKeeperService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(HoldKeeperService.name);
  private timer?: NodeJS.Timeout;
  private running?: Promise<void> | undefined;

  constructor(private readonly store: MessageLogStore) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.look(), CLOCK);
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  private look(): void {
    this.running ??= this.keep().finally(() => (this.running = undefined));
  }

  private async keep(): Promise<void> {
    try {
      await this.store.releaseHeld();
      const expired = await this.store.expireCodes();
      if (expired > 0)
        this.logger.warn({ message: 'Authentication codes expired before they were sent', expired });
    } catch (error) {
      this.logger.debug(`Holds not looked at: ${(error as Error).message}`); // the next look will
    }
  }
}
