import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Heartbeats } from '../common/heartbeat.js';
import { Repeated } from '../common/repeated.js';
import { DeliveryService } from '../delivery/delivery.service.js';
import { MessageMetrics } from '../messages/message-metrics.js';
import { ShardLeasesService } from '../shards/shard-leases.service.js';

/** Milliseconds between two looks. */
const CLOCK = 1_000;

/** Milliseconds without a good look after which the process is not ready. */
const PATIENCE = 10_000;

/**
 * Decides the messages whose claim ended without an outcome: a crash, a time-out, a lost connection. Not on Bull, so
 * that they are decided while Redis is out. In one worker, that of the first shard; that two do it harms nothing, since rows
 * in work are skipped.
 */
@Injectable()
export class UnknownOutcomesService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(UnknownOutcomesService.name);
  private readonly looks: Repeated;

  constructor(
    private readonly delivery: DeliveryService,
    private readonly metrics: MessageMetrics,
    private readonly leases: ShardLeasesService,
    heartbeats: Heartbeats,
  ) {
    this.looks = new Repeated(
      CLOCK,
      () => this.look(),
      (error) => this.logger.debug(`Unknown outcomes not looked at: ${error.message}`),
      heartbeats.add('deciding unknown outcomes', PATIENCE),
    );
  }

  onApplicationBootstrap(): void {
    this.looks.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.looks.stop();
  }

  private async look(): Promise<void> {
    if (!this.leases.isFirst) return;
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
