import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { MetricsRegistry } from '../common/metrics-registry.js';

/** What `/metrics` tells of webhooks. */
@Injectable()
export class WebhookMetrics {
  private readonly deliveries: Counter<'effect'>;
  private readonly updates: Counter<'field' | 'effect'>;

  constructor(registry: MetricsRegistry) {
    this.deliveries = new Counter({
      name: 'tms_webhooks_total',
      help: 'Webhook deliveries that were applied, put aside because they could not be, or known already',
      labelNames: ['effect'],
      registers: [registry],
    });
    this.updates = new Counter({
      name: 'tms_webhook_updates_total',
      help: 'Updates in webhooks, other than receipts, by field; unknown fields and events are kept in the inbox',
      labelNames: ['field', 'effect'],
      registers: [registry],
    });
  }

  applied(count: number): void {
    this.deliveries.inc({ effect: 'applied' }, count);
  }

  parked(): void {
    this.deliveries.inc({ effect: 'parked' });
  }

  /** Delivered again, byte for byte. */
  repeated(count: number): void {
    this.deliveries.inc({ effect: 'repeated' }, count);
  }

  update(field: string, effect: 'applied' | 'unknown'): void {
    // A field's name comes from outside: only known ones become labels.
    this.updates.inc({ field: effect === 'unknown' ? 'other' : field, effect });
  }
}
