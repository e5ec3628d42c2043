import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { FeedingModule } from '../campaigns/feeding.module.js';
import { Queues } from '../database/queues.js';
import { TableCare } from '../database/table-care.js';
import { DeliveryModule } from '../delivery/delivery.module.js';
import { NumberReadsModule } from '../numbers/number-reads.module.js';
import { SchedulingModule } from '../scheduling/scheduling.module.js';
import { InboxModule } from '../webhooks/inbox.module.js';

/** What a worker process does: dispatching, delivery, retries, webhooks' consequences, reading numbers, housekeeping. */
@Module({
  imports: [DeliveryModule, SchedulingModule, FeedingModule, InboxModule, NumberReadsModule],
  providers: [TableCare],
})
export class WorkerModule implements OnApplicationShutdown {
  constructor(private readonly queues: Queues) {}

  /** All at once, before Nest closes them module by module. */
  async onApplicationShutdown(): Promise<void> {
    await this.queues.close();
  }
}
