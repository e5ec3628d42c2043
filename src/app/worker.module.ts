import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { AlertsWorkerModule } from '../alerts/alerts-worker.module.js';
import { CampaignsWorkerModule } from '../campaigns/campaigns-worker.module.js';
import { Queues } from '../database/queues.js';
import { DeliveryModule } from '../delivery/delivery.module.js';
import { NumberMovesWorkerModule } from '../number-moves/number-moves-worker.module.js';
import { NumbersWorkerModule } from '../numbers/numbers-worker.module.js';
import { SchedulingModule } from '../scheduling/scheduling.module.js';
import { WebhookEndpointsWorkerModule } from '../webhook-endpoints/webhook-endpoints-worker.module.js';
import { WebhooksWorkerModule } from '../webhooks/webhooks-worker.module.js';

/** What a worker process does: dispatching, delivery, retries, webhooks' consequences, reading numbers, housekeeping. */
@Module({
  imports: [
    DeliveryModule,
    SchedulingModule,
    CampaignsWorkerModule,
    WebhooksWorkerModule,
    NumberMovesWorkerModule,
    NumbersWorkerModule,
    WebhookEndpointsWorkerModule,
    AlertsWorkerModule,
  ],
})
export class WorkerModule implements OnApplicationShutdown {
  constructor(private readonly queues: Queues) {}

  /** All at once, before Nest closes them module by module. */
  async onApplicationShutdown(): Promise<void> {
    await this.queues.close();
  }
}
