import { Module } from '@nestjs/common';
import { Draining } from './draining.js';
import { HealthController } from './health.controller.js';
import { MetricsController } from './metrics.controller.js';

/** What operators look at: health and metrics, in every role. */
@Module({ controllers: [HealthController, MetricsController], providers: [Draining] })
export class OperationsModule {}
