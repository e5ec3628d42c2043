import { Injectable } from '@nestjs/common';
import { Heartbeats } from '../common/heartbeat.js';
import { HoldAlertsService } from '../outbox/holds/hold-alerts.service.js';
import { OutboxStore } from '../outbox/outbox.store.js';
import { ShardLeasesService } from '../shards/shard-leases.service.js';
import { Keeper } from './keeper.js';

/** Lets messages go when their template's hold has ended or may be probed, fails codes that waited too long, and alerts holds. */
@Injectable()
export class HoldKeeperService extends Keeper {
  constructor(
    private readonly outbox: OutboxStore,
    private readonly alerts: HoldAlertsService,
    leases: ShardLeasesService,
    heartbeats: Heartbeats,
  ) {
    super('releasing what was held', { clock: 1_000, patience: 10_000 }, leases, heartbeats);
  }

  protected async look(): Promise<void> {
    await this.outbox.releaseHeld();
    const expired = await this.outbox.expire();
    await this.alerts.settle();
    if (expired > 0) this.logger.warn({ message: 'Messages expired before they were sent', expired });
  }
}
