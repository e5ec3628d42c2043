import { Injectable, Logger } from '@nestjs/common';
import { HoldAlertsService } from '../outbox/holds/hold-alerts.service.js';
import { HoldsService } from '../outbox/holds/holds.service.js';
import { OutboxStore } from '../outbox/outbox.store.js';
import { KeepersService } from './keepers.service.js';

/** Lets messages go when their template's hold has ended or may be probed, fails codes that waited too long, and alerts holds. */
@Injectable()
export class HoldKeeperService {
  private readonly logger = new Logger(HoldKeeperService.name);

  constructor(
    private readonly holds: HoldsService,
    private readonly outbox: OutboxStore,
    private readonly alerts: HoldAlertsService,
    keepers: KeepersService,
  ) {
    const look = () => this.look();
    keepers.add({ work: 'releasing what was held', interval: 1_000, patience: 10_000, look });
  }

  private async look(): Promise<void> {
    await this.holds.settleTemplates();
    await this.outbox.releaseHeld();
    const expired = await this.outbox.expire();
    await this.alerts.settle();
    if (expired > 0) this.logger.warn({ message: 'Messages expired before they were sent', expired });
  }
}
