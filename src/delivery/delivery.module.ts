import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AlertsModule } from '../alerts/alerts.module.js';
import { Pools } from '../common/pools.js';
import { Config } from '../config/config.js';
import { QueuesModule } from '../database/queues.module.js';
import { ProviderModule } from '../provider/provider.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { PricingModule } from '../pricing/pricing.module.js';
import { CallsService } from './calls.service.js';
import { ClaimCheckService } from './claim-check.service.js';
import { DeliveryProcessor } from './delivery.processor.js';
import { DELIVERY_QUEUE } from './delivery.queue.js';
import { DeliveryService } from './delivery.service.js';
import { InFlight } from './in-flight.js';
import { MessagesModule } from '../messages/messages.module.js';
import { NumberActivityStore } from './number-activity.store.js';
import { NumberRateLimiter } from './rates/number-rate-limiter.js';
import { OutboxModule } from '../outbox/outbox.module.js';
import { OutcomesStore } from './outcomes.store.js';
import { OutcomesService } from './outcomes.service.js';
import { PairRateLimiter } from './rates/pair-rate-limiter.js';
import { ReceiptWatchService } from './receipt-watch.service.js';
import { RETRY_QUEUE } from './retry.queue.js';
import { RetryWakeUpsService } from './retry-wake-ups.service.js';

/** Of jobs that have ended: nobody looks at them. */
const KEEP_NONE = { removeOnComplete: true, removeOnFail: true };

/** Sending what is due: in worker processes only, since @nestjs/bull starts every processor that it finds. */
@Module({
  imports: [
    // A permit whose worker died is not run again: its messages are found by their lease.
    QueuesModule.register(DELIVERY_QUEUE, { settings: { maxStalledCount: 0 }, defaultJobOptions: KEEP_NONE }),
    QueuesModule.register(RETRY_QUEUE, { defaultJobOptions: KEEP_NONE }),
    AccountsModule,
    AlertsModule,
    MessagesModule,
    OutboxModule,
    PricingModule,
    ProviderModule,
    TemplatesModule,
  ],
  providers: [
    CallsService,
    ClaimCheckService,
    DeliveryProcessor,
    DeliveryService,
    {
      provide: InFlight,
      inject: [Config, Pools],
      useFactory: ({ DELIVERY_IN_FLIGHT: size }: Config, pools: Pools) => {
        const inFlight = new InFlight(size);
        pools.add('delivery', () => ({ used: inFlight.size, size }));
        return inFlight;
      },
    },
    NumberActivityStore,
    NumberRateLimiter,
    OutcomesService,
    OutcomesStore,
    PairRateLimiter,
    ReceiptWatchService,
    RetryWakeUpsService,
  ],
  exports: [QueuesModule, DeliveryService, InFlight, NumberRateLimiter, ReceiptWatchService],
})
export class DeliveryModule {}
