import { type DynamicModule, Module } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { ApiModule } from './api.module.js';
import type { Clock } from '../common/clock.js';
import type { Config } from '../config/config.js';
import { ConfigModule } from '../config/config.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { OperationsModule } from '../operations/operations.module.js';
import { WorkerModule } from './worker.module.js';

/** Which modules a role runs. */
@Module({})
export class AppModule {
  static forRole(config: Config, source: DataSource, clock?: Clock): DynamicModule {
    const { ROLE } = config;
    return {
      module: AppModule,
      imports: [
        ConfigModule.with(config, clock),
        DatabaseModule.with(source),
        OperationsModule,
        ...(ROLE === 'worker' ? [] : [ApiModule]),
        ...(ROLE === 'api' ? [] : [WorkerModule]),
      ],
    };
  }
}
