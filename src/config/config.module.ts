import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Heartbeats } from '../common/heartbeat.js';
import { MetricsRegistry } from '../common/metrics-registry.js';
import { Pools } from '../common/pools.js';
import { Config } from './config.js';

/** Makes the checked configuration, the clock, the metrics and the loops' heartbeats injectable everywhere. */
@Global()
@Module({})
export class ConfigModule {
  static with(config: Config, clock = new Clock()): DynamicModule {
    return {
      module: ConfigModule,
      providers: [
        { provide: Config, useValue: config },
        { provide: Clock, useValue: clock },
        { provide: MetricsRegistry, useFactory: () => new MetricsRegistry() },
        Heartbeats,
        Pools,
      ],
      exports: [Config, Clock, MetricsRegistry, Heartbeats, Pools],
    };
  }
}
