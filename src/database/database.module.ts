import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Database } from './database.js';
import { Notifications } from './notifications.js';
import { Queues } from './queues.js';
import { Reads } from './reads.js';
import { RedisConnection } from './redis.js';
import { SharedCaches } from './shared-cache.js';

/** PostgreSQL and Redis for everyone above. */
@Global()
@Module({})
export class DatabaseModule {
  /** @param source connected and migrated; closed with the application */
  static with(source: DataSource): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: () => source.options,
          dataSourceFactory: async () => source,
        }),
      ],
      providers: [Database, Notifications, Queues, Reads, RedisConnection, SharedCaches],
      exports: [Database, Notifications, Queues, Reads, RedisConnection, SharedCaches],
    };
  }
}
