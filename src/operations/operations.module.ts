import { Module } from '@nestjs/common';
import { Backlog } from './backlog.js';
import { Draining } from '../http/draining.js';
import { HealthController } from './health.controller.js';
import { MetricsController } from './metrics.controller.js';
import { ProxySense } from '../http/proxy-sense.js';
import { VersionWatch } from './version-watch.js';

/** What operators look at: health, metrics and warnings at the start, in every role. */
@Module({
  controllers: [HealthController, MetricsController],
  providers: [Backlog, Draining, ProxySense, VersionWatch],
})
export class OperationsModule {}
