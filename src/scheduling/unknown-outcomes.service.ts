import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DeliveryService } from '../messages/delivery.service.js';

/** Milliseconds between two looks. */
const CLOCK = 1_000;

/**
 * Decides the messages whose claim ended without an outcome: a crash, a time-out, a lost connection. Not on Bull, so
 * that they are decided while Redis is out; every worker may do so at once, since rows in work are skipped.
 */
@Injectable()
export class UnknownOutcomesService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(UnknownOutcomesService.name);
  private timer?: NodeJS.Timeout;
  private running?: Promise<void> | undefined;

  constructor(private readonly delivery: DeliveryService) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.look(), CLOCK);
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  private look(): void {
    this.running ??= this.resolve().finally(() => (this.running = undefined));
  }

  private async resolve(): Promise<void> {
    try {
      const { requeued, failed } = await this.delivery.resolveUnknown();
      if (requeued + failed > 0) this.logger.warn({ message: 'Unknown outcomes decided', requeued, failed });
    } catch (error) {
      this.logger.debug(`Unknown outcomes not looked at: ${(error as Error).message}`); // the next look will
    }
  }
}
