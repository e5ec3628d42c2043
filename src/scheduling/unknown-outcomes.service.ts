import { Injectable, Logger } from '@nestjs/common';
import { DeliveryService } from '../delivery/delivery.service.js';
import { MessageMetrics } from '../messages/message-metrics.js';
import { KeepersService } from './keepers.service.js';

/**
 * Decides the messages whose claim ended without an outcome: a crash, a time-out, a lost connection. Two may do it at the
 * same time, since rows in work are skipped.
 */
@Injectable()
export class UnknownOutcomesService {
  private readonly logger = new Logger(UnknownOutcomesService.name);

  constructor(
    private readonly delivery: DeliveryService,
    private readonly metrics: MessageMetrics,
    keepers: KeepersService,
  ) {
    const look = () => this.look();
    keepers.add({ work: 'deciding unknown outcomes', interval: 1_000, patience: 10_000, look });
  }

  private async look(): Promise<void> {
    const { requeued, failed } = await this.delivery.resolveUnknown();
    this.metrics.unknownDecided('sent_again', requeued);
    this.metrics.unknownDecided('failed', failed.length);
    if (requeued > 0)
      this.logger.warn({ message: 'Sent again: neither an answer nor a receipt came', requeued });
    if (failed.length > 0)
      this.logger.error({
        message: 'Given up: neither an answer nor a receipt came',
        message_log_ids: failed,
      });
  }
}
