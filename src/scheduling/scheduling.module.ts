import { Module } from '@nestjs/common';
import { AlertsModule } from '../alerts/alerts.module.js';
import { QueuesModule } from '../database/queues.module.js';
import { DeliveryModule } from '../delivery/delivery.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { NumbersModule } from '../numbers/numbers.module.js';
import { OutboxModule } from '../outbox/outbox.module.js';
import { ShardsModule } from '../shards/shards.module.js';
import { SpendingModule } from '../spending/spending.module.js';
import { StatisticsModule } from '../statistics/statistics.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { DispatcherService } from './dispatcher.service.js';
import { DueNumbersStore } from './due-numbers.store.js';
import { DueWatchService } from './due-watch.service.js';
import { ExpiryService } from './expiry.service.js';
import { HoldKeeperService } from './hold-keeper.service.js';
import { HOUSEKEEPING_QUEUE, HousekeepingProcessor } from './housekeeping.processor.js';
import { KeepersService } from './keepers.service.js';
import { PartitionStore } from './partition.store.js';
import { PartitionsService } from './partitions.service.js';
import { RetryProcessor } from './retry.processor.js';
import { SpendKeeperService } from './spend-keeper.service.js';
import { TableCareService } from './table-care.service.js';
import { UnknownOutcomesService } from './unknown-outcomes.service.js';

/** When messages go out: what is due, retries, unknown outcomes and regular work. */
@Module({
  imports: [
    QueuesModule.register(HOUSEKEEPING_QUEUE),
    AlertsModule,
    DeliveryModule,
    LedgerModule,
    MessagesModule,
    NumbersModule,
    OutboxModule,
    ShardsModule,
    SpendingModule,
    StatisticsModule,
    TemplatesModule,
  ],
  providers: [
    DispatcherService,
    KeepersService,
    HoldKeeperService,
    SpendKeeperService,
    DueNumbersStore,
    DueWatchService,
    RetryProcessor,
    PartitionStore,
    PartitionsService,
    TableCareService,
    UnknownOutcomesService,
    HousekeepingProcessor,
    ExpiryService,
  ],
  exports: [QueuesModule],
})
export class SchedulingModule {}
