import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { MetricsRegistry } from '../common/metrics-registry.js';

/** Types of customers' messages that become labels. */
const INBOUND_TYPES = new Set([
  'text',
  'button',
  'interactive',
  'image',
  'video',
  'audio',
  'document',
  'sticker',
  'location',
  'contacts',
  'reaction',
  'order',
  'system',
]);

/** The metrics of webhooks. */
@Injectable()
export class WebhookMetrics {
  private readonly deliveries: Counter<'effect'>;
  private readonly failures: Counter<'check'>;
  private readonly updates: Counter<'field' | 'effect'>;
  private readonly preferences: Counter<'value'>;
  private readonly inbounds: Counter<'type'>;

  constructor(registry: MetricsRegistry) {
    this.deliveries = new Counter({
      name: 'tms_webhooks_total',
      help:
        'Webhook deliveries that were applied, put aside because they could not be, known already, or named an ' +
        'account that is not known: refused, or applied but for that',
      labelNames: ['effect'],
      registers: [registry],
    });
    this.failures = new Counter({
      name: 'tms_webhook_failures_total',
      help: "Requests to the webhooks' address that failed their check: signature of a delivery, or verify token",
      labelNames: ['check'],
      registers: [registry],
    });
    this.updates = new Counter({
      name: 'tms_webhook_updates_total',
      help: 'Updates in webhooks, other than receipts, by field; unknown fields and events are kept in the inbox',
      labelNames: ['field', 'effect'],
      registers: [registry],
    });
    this.preferences = new Counter({
      name: 'tms_user_preferences_total',
      help: 'What users have said of marketing messages: stop or resume',
      labelNames: ['value'],
      registers: [registry],
    });
    this.inbounds = new Counter({
      name: 'tms_inbound_messages_total',
      help: 'Messages of customers by type; kept in the inbox',
      labelNames: ['type'],
      registers: [registry],
    });
  }

  applied(count: number): void {
    this.deliveries.inc({ effect: 'applied' }, count);
  }

  parked(): void {
    this.deliveries.inc({ effect: 'parked' });
  }

  /** A request failed its check: its sender is not shown to be the provider. */
  failed(check: 'signature' | 'verify_token'): void {
    this.failures.inc({ check });
  }

  /** It names a business account that the service does not know. */
  unknownAccount(): void {
    this.deliveries.inc({ effect: 'unknown_account' });
  }

  /** Delivered again, byte for byte. */
  repeated(count: number): void {
    this.deliveries.inc({ effect: 'repeated' }, count);
  }

  update(field: string, effect: 'applied' | 'unknown'): void {
    // A field's name comes from outside: only known ones become labels.
    this.updates.inc({ field: effect === 'unknown' ? 'other' : field, effect });
  }

  preference(value: unknown): void {
    this.preferences.inc({ value: value === 'stop' || value === 'resume' ? value : 'other' });
  }

  /** A message of a customer. */
  inbound(type: string): void {
    this.inbounds.inc({ type: INBOUND_TYPES.has(type) ? type : 'other' });
  }
}
