import { Module } from '@nestjs/common';
import { BacklogService } from './backlog.service.js';
import { HealthController } from './health.controller.js';
import { HttpModule } from '../http/http.module.js';
import { MetricsController } from './metrics.controller.js';
import { ProxySenseService } from '../http/proxy-sense.service.js';
import { VersionWatchService } from './version-watch.service.js';

/** What operators look at: health, metrics and warnings at the start, in every role. */
@Module({
  imports: [HttpModule],
  controllers: [HealthController, MetricsController],
  providers: [BacklogService, ProxySenseService, VersionWatchService],
})
export class OperationsModule {}
