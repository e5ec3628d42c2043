import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Heartbeats } from '../common/heartbeat.js';
import { Repeated } from '../common/repeated.js';
import { HoldAlertsService } from '../outbox/holds/hold-alerts.service.js';
import { OutboxStore } from '../outbox/outbox.store.js';
import { ShardLeasesService } from '../shards/shard-leases.service.js';

/** Milliseconds between two looks. */
const CLOCK = 1_000;

/** Milliseconds without a good look after which the process is not ready. */
const PATIENCE = 10_000;

/** Lets messages go when their template's hold has ended or may be probed, fails codes that waited too long, and alerts holds. */
@Injectable()
export class HoldKeeperService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(HoldKeeperService.name);
  private readonly looks: Repeated;

  constructor(
    private readonly outbox: OutboxStore,
    private readonly alerts: HoldAlertsService,
    private readonly leases: ShardLeasesService,
    heartbeats: Heartbeats,
  ) {
    this.looks = new Repeated(
      CLOCK,
      () => this.look(),
      (error) => this.logger.debug(`Holds not looked at: ${error.message}`),
      heartbeats.add('releasing what was held', PATIENCE),
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
    await this.outbox.releaseHeld();
    const expired = await this.outbox.expire();
    await this.alerts.settle();
    if (expired > 0) this.logger.warn({ message: 'Messages expired before they were sent', expired });
  }
}
