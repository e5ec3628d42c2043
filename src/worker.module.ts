import { BullModule } from '@nestjs/bull';
import { Module } from '@nestjs/common';
import { FeedingModule } from './campaigns/feeding.module.js';
import { Config } from './config/config.js';
import { reconnectOnError } from './database/redis.js';
import { DeliveryModule } from './messages/delivery.module.js';
import { SchedulingModule } from './scheduling/scheduling.module.js';
import { InboxModule } from './webhooks/inbox.module.js';

/** What a worker process does: dispatching, delivery, retries, webhooks' consequences, housekeeping. */
@Module({
  imports: [
    BullModule.forRootAsync({
      inject: [Config],
      useFactory: (config: Config) => ({
        url: config.REDIS_URL,
        // Without limits of its own, a connection waits for Redis to come back instead of failing for good.
        redis: { maxRetriesPerRequest: null, enableReadyCheck: false, reconnectOnError },
      }),
    }),
    DeliveryModule,
    SchedulingModule,
    FeedingModule,
    InboxModule,
  ],
})
export class WorkerModule {}
