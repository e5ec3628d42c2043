import { Injectable } from '@nestjs/common';
import { Heartbeats } from '../common/heartbeat.js';
import { DeliveryService } from '../delivery/delivery.service.js';
import { MessageMetrics } from '../messages/message-metrics.js';
import { ShardLeasesService } from '../shards/shard-leases.service.js';
import { Keeper } from './keeper.js';

/**
 * Decides the messages whose claim ended without an outcome: a crash, a time-out, a lost connection. Two may do it at the
 * same time, since rows in work are skipped.
 */
@Injectable()
export class UnknownOutcomesService extends Keeper {
  constructor(
    private readonly delivery: DeliveryService,
    private readonly metrics: MessageMetrics,
    leases: ShardLeasesService,
    heartbeats: Heartbeats,
  ) {
    super('deciding unknown outcomes', { clock: 1_000, patience: 10_000 }, leases, heartbeats);
  }

  protected async look(): Promise<void> {
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
