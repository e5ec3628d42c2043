import { Module } from '@nestjs/common';
import { BacklogService } from './backlog.service.js';
import { DrainingService } from '../http/draining.service.js';
import { HealthController } from './health.controller.js';
import { MetricsController } from './metrics.controller.js';
import { ProxySenseService } from '../http/proxy-sense.service.js';
import { VersionWatchService } from './version-watch.service.js';

/** What operators look at: health, metrics and warnings at the start, in every role. */
@Module({
  controllers: [HealthController, MetricsController],
  providers: [BacklogService, DrainingService, ProxySenseService, VersionWatchService],
})
export class OperationsModule {}
