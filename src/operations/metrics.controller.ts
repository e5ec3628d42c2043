import { Controller, Get, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { Gauge, collectDefaultMetrics } from 'prom-client';
import { MetricsRegistry } from '../common/metrics-registry.js';
import { Database, type Statement } from '../database/database.js';

/** For Prometheus. The state that all processes share is read from PostgreSQL when it is asked for. */
@ApiExcludeController()
@Controller('metrics')
export class MetricsController {
  private readonly waiting: Gauge<'state'>;
  private readonly holds: Gauge<'scope' | 'cause'>;

  constructor(
    private readonly registry: MetricsRegistry,
    private readonly database: Database,
  ) {
    collectDefaultMetrics({ register: registry, prefix: 'tms_' });
    this.waiting = new Gauge({
      name: 'tms_backlog',
      help: 'What waits: messages due and not claimed, messages sending, webhooks not applied, webhooks put aside',
      labelNames: ['state'],
      registers: [registry],
    });
    this.holds = new Gauge({
      name: 'tms_holds',
      help: 'Open holds by what they hold and why',
      labelNames: ['scope', 'cause'],
      registers: [registry],
    });
  }

  @Get()
  async metrics(@Res() response: Response): Promise<void> {
    const [backlog] = await this.database.run<Record<string, number>>(BACKLOG);
    for (const [state, count] of Object.entries(backlog ?? {})) this.waiting.set({ state }, count);
    this.holds.reset();
    for (const { scope, cause, count } of await this.database.run<HoldCount>(HOLDS)) {
      this.holds.set({ scope, cause }, count);
    }
    response.type(this.registry.contentType).send(await this.registry.metrics());
  }
}

interface HoldCount {
  scope: string;
  cause: string;
  count: number;
}

const BACKLOG: Statement = {
  name: 'metrics_backlog',
  text: `
    SELECT (SELECT count(*) FROM message_logs WHERE waiting AND due_at <= now()) AS messages_due,
      (SELECT count(*) FROM message_logs WHERE resolve_at IS NOT NULL) AS messages_sending,
      (SELECT count(*) FROM webhook_inbox WHERE processed_at IS NULL AND parked_at IS NULL) AS webhooks_pending,
      (SELECT count(*) FROM webhook_inbox WHERE parked_at IS NOT NULL) AS webhooks_parked`,
};

const HOLDS: Statement = {
  name: 'metrics_holds',
  text: 'SELECT scope, cause, count(*) AS count FROM holds WHERE lifted_at IS NULL GROUP BY scope, cause',
};
