import { createHmac } from 'node:crypto';
import { DEMO } from '../../src/embedded/demo.js';
import { SECRETS, type TestService } from './service.js';

let deliveries = 0;

/** Delivers a payload as the provider would, each one different; `entries` are [waba id, field, value]. */
export function deliver(service: TestService, ...entries: [string, string, unknown][]) {
  const entry = entries.map(([id, field, value]) => ({
    id,
    time: Math.floor(Date.now() / 1_000),
    delivery: (deliveries += 1),
    changes: [{ field, value }],
  }));
  return deliverText(service, JSON.stringify({ object: 'whatsapp_business_account', entry }));
}

/** Delivers exactly this text, signed with the demo's app secret. */
export function deliverText(
  service: TestService,
  text: string,
  appSecret: string = SECRETS.sandboxAppSecret,
) {
  return service.api.request('POST', '/webhooks/provider', text, {
    'Content-Type': 'application/json',
    'X-Hub-Signature-256': sign(text, appSecret),
  });
}

export function sign(text: string | Buffer, appSecret: string): string {
  return `sha256=${createHmac('sha256', appSecret).update(text).digest('hex')}`;
}

/** A receipt for a message, as the demo's first number gets it. */
export function receipt(fields: Record<string, unknown>) {
  return {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: DEMO.numbers[0].phone, phone_number_id: DEMO.numbers[0].phoneNumberId },
    statuses: [{ timestamp: String(Math.floor(Date.now() / 1000)), recipient_id: '12025550102', ...fields }],
  };
}
