import { Controller, Get, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { collectDefaultMetrics } from 'prom-client';
import { MetricsRegistry } from '../common/metrics-registry.js';
import { BacklogService } from './backlog.service.js';

/** For Prometheus. */
@ApiExcludeController()
@Controller('metrics')
export class MetricsController {
  constructor(
    private readonly registry: MetricsRegistry,
    private readonly backlog: BacklogService,
  ) {
    collectDefaultMetrics({ register: registry, prefix: 'tms_' });
  }

  @Get()
  async metrics(@Res() response: Response): Promise<void> {
    await this.backlog.look();
    response.type(this.registry.contentType).send(await this.registry.metrics());
  }
}
