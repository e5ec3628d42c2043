import { BullModule, getQueueToken } from '@nestjs/bull';
import { type DynamicModule, Module } from '@nestjs/common';
import type { Queue, QueueOptions } from 'bull';
import { Queues } from './queues.js';

/** The only way for features to get queues, so that connections and faults of every queue are watched. */
@Module({})
export class QueuesModule {
  static register(name: string, options: QueueOptions = {}): DynamicModule {
    return {
      module: QueuesModule,
      imports: [
        BullModule.registerQueueAsync({
          name,
          inject: [Queues],
          useFactory: (queues: Queues) => {
            const own = queues.optionsOf(name);
            return { ...own, ...options, settings: { ...own.settings, ...options.settings } };
          },
        }),
      ],
      providers: [
        {
          provide: `watched ${name}`,
          inject: [Queues, getQueueToken(name)],
          useFactory: (queues: Queues, queue: Queue) => queues.add(queue),
        },
      ],
      exports: [BullModule],
    };
  }
}
