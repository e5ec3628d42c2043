import { Controller, Get, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { collectDefaultMetrics } from 'prom-client';
import { MetricsRegistry } from '../common/metrics-registry.js';
import { Backlog } from './backlog.js';

/** For Prometheus. */
@ApiExcludeController()
@Controller('metrics')
export class MetricsController {
  constructor(
    private readonly registry: MetricsRegistry,
    private readonly backlog: Backlog,
  ) {
    collectDefaultMetrics({ register: registry, prefix: 'tms_' });
  }

  @Get()
  async metrics(@Res() response: Response): Promise<void> {
    await this.backlog.look();
    response.type(this.registry.contentType).send(await this.registry.metrics());
  }
}
