import { BullModule, InjectQueue } from '@nestjs/bull';
import { Module, type OnApplicationShutdown } from '@nestjs/common';
import type { Queue } from 'bull';
import { FeedingModule } from './campaigns/feeding.module.js';
import { Config } from './config/config.js';
import { reconnectOnError } from './database/redis.js';
import { YoungTables } from './database/young-tables.js';
import { DeliveryModule } from './messages/delivery.module.js';
import { DELIVERY_QUEUE } from './messages/delivery.queue.js';
import { RETRY_QUEUE } from './messages/retry.queue.js';
import { HOUSEKEEPING_QUEUE } from './scheduling/housekeeping.processor.js';
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
  providers: [YoungTables],
})
export class WorkerModule implements OnApplicationShutdown {
  private readonly queues: Queue[];

  constructor(
    @InjectQueue(DELIVERY_QUEUE) delivery: Queue,
    @InjectQueue(RETRY_QUEUE) retry: Queue,
    @InjectQueue(HOUSEKEEPING_QUEUE) housekeeping: Queue,
  ) {
    this.queues = [delivery, retry, housekeeping];
  }

  /** All at once, before Nest closes them module by module. */
  async onApplicationShutdown(): Promise<void> {
    for (const { clients } of this.queues) for (const client of clients) quitWhileBlocked(client);
    await Promise.all(this.queues.map((queue) => queue.close()));
  }
}

/** A connection that waits for a job cannot answer QUIT: Bull would give it half a second. */
function quitWhileBlocked(client: Queue['clients'][number] & { blocked?: boolean }): void {
  const quit = client.quit.bind(client);
  client.quit = () => {
    if (!client.blocked) return quit();
    client.disconnect();
    return Promise.resolve('OK');
  };
}
