import { BullModule } from '@nestjs/bull';
import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { Config } from '../config/config.js';
import { ProviderModule } from '../provider/provider.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { DeliveryProcessor } from './delivery.processor.js';
import { DELIVERY_QUEUE } from './delivery.queue.js';
import { DeliveryService } from './delivery.service.js';
import { InFlight } from './in-flight.js';
import { MessagesModule } from './messages.module.js';
import { NumberActivity } from './number-activity.js';
import { NumberRate } from './number-rate.js';
import { OutcomesService } from './outcomes.service.js';
import { PairRate } from './pair-rate.js';
import { RETRY_QUEUE } from './retry.queue.js';
import { RetryWakeUps } from './retry-wake-ups.js';

/** Sending what is due: in worker processes only, since @nestjs/bull starts every processor that it finds. */
@Module({
  imports: [
    // A permit whose worker died is not run again: its messages are found by their lease.
    BullModule.registerQueue(
      {
        name: DELIVERY_QUEUE,
        settings: { maxStalledCount: 0 },
        defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
      },
      { name: RETRY_QUEUE, defaultJobOptions: { removeOnComplete: true, removeOnFail: true } },
    ),
    AccountsModule,
    MessagesModule,
    ProviderModule,
    TemplatesModule,
  ],
  providers: [
    DeliveryProcessor,
    DeliveryService,
    {
      provide: InFlight,
      inject: [Config],
      useFactory: (config: Config) => new InFlight(config.DELIVERY_IN_FLIGHT),
    },
    NumberActivity,
    NumberRate,
    OutcomesService,
    PairRate,
    RetryWakeUps,
  ],
  exports: [BullModule, DeliveryService, InFlight, NumberRate],
})
export class DeliveryModule {}
