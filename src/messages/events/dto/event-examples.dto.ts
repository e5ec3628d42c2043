import type { EventType } from '../../../events/domain/event-types.js';
import type { OptOutSource } from '../../../recipients/domain/opt-out.js';
import { encodePosition } from '../../../events/position.js';
import type { EventDto } from './event.dto.js';

const MESSAGE = {
  messaging_account_id: 'acc_DemoSalesNumber00001',
  phone: '12025550100',
  template: { name: 'order_update', language: 'en_US' },
  category: 'UTILITY',
  cost: 0.004,
  currency: 'USD',
  scheduled_at: null,
};
/** Where the send had them: in all events of the message. */
const REFERENCE = { client_reference: 'order-A-1001', metadata: { shop: 'Dubai' } };
const provider_message_id = 'wamid.HBgLMTIwMjU1NTAxMDA';

const event = (
  entry: number,
  type: EventType,
  data: Record<string, unknown>,
  occurred_at: string,
  recorded_at = occurred_at,
): EventDto => ({
  id: `evt_${entry}_1`,
  type,
  occurred_at,
  recorded_at,
  cursor: encodePosition({ entry, ordinal: 1 }),
  data,
});

const of = (message_log_id: number, status: string, more: Record<string, unknown> = {}) => ({
  message_log_id,
  status,
  ...MESSAGE,
  ...more,
});

const optOut = (source: OptOutSource, reason: string) => ({
  phone: '12025550104',
  scope: 'marketing',
  source,
  reason,
});

const CAMPAIGN = {
  campaign_id: 12,
  name: 'Spring offer',
  messaging_account_id: MESSAGE.messaging_account_id,
  template: MESSAGE.template,
  recipients: 1_000,
  accepted: 0,
  refused: 0,
};
const HELD = {
  held: true,
  cause: 'account',
  error: { code: 131031, title: 'Business account has been locked', details: null },
};

const TEMPLATE = { waba_id: '102290129340398', template: MESSAGE.template };

/** One of each type. */
export const EVENT_EXAMPLES: EventDto[] = [
  event(4711, 'message.accepted', of(1, 'queued', REFERENCE), '2026-11-21T10:00:00.160Z'),
  event(
    4712,
    'message.sent',
    of(1, 'sent', { ...REFERENCE, provider_message_id }),
    '2026-11-21T10:00:00.193Z',
  ),
  event(
    4713,
    'message.delivered',
    of(1, 'delivered', { ...REFERENCE, provider_message_id }),
    '2026-11-21T10:00:02.000Z',
    '2026-11-21T10:00:02.353Z',
  ),
  event(
    4714,
    'message.read',
    of(1, 'read', { ...REFERENCE, provider_message_id }),
    '2026-11-21T10:00:05.000Z',
    '2026-11-21T10:00:05.412Z',
  ),
  event(
    4715,
    'message.failed',
    of(2, 'failed', {
      error: { code: 131026, title: 'Message undeliverable', details: 'Message Undeliverable.' },
    }),
    '2026-11-21T10:01:00.220Z',
  ),
  event(
    4716,
    'message.retried',
    of(3, 'failed', { retry_message_log_id: 4, retry_at: '2026-11-22T12:02:00.100Z' }),
    '2026-11-21T10:02:00.100Z',
  ),
  event(4717, 'message.canceled', of(5, 'canceled'), '2026-11-21T10:03:00.000Z'),
  event(4718, 'recipient.opted_out', optOut('keyword', 'STOP'), '2026-11-21T10:04:00.000Z'),
  event(4719, 'recipient.opted_in', optOut('keyword', 'STOP'), '2026-11-21T10:05:00.000Z'),
  event(
    4720,
    'message.inbound',
    {
      messaging_account_id: MESSAGE.messaging_account_id,
      from: MESSAGE.phone,
      type: 'button',
      text: 'Yes, I will come',
      payload: 'confirm',
      in_reply_to: 1,
      client_reference: REFERENCE.client_reference,
    },
    '2026-11-21T10:06:00.000Z',
    '2026-11-21T10:06:00.412Z',
  ),
  event(
    4721,
    'number.hold',
    { messaging_account_id: MESSAGE.messaging_account_id, ...HELD },
    '2026-11-21T10:07:00.000Z',
  ),
  event(
    4722,
    'account.hold',
    { waba_id: '102290129340398', ...HELD, held: false },
    '2026-11-21T10:08:00.000Z',
  ),
  event(
    4723,
    'account.alert',
    {
      alert_id: 7,
      waba_id: '102290129340398',
      kind: 'account_restricted',
      severity: 'error',
      text: 'The business account may not send messages until 2026-11-24.',
    },
    '2026-11-21T10:09:00.000Z',
  ),
  event(4724, 'campaign.started', CAMPAIGN, '2026-11-21T10:10:00.000Z'),
  event(
    4725,
    'campaign.paused',
    { ...CAMPAIGN, accepted: 400, cause: { code: 'TEMPLATE_PAUSED', message: 'The template is paused.' } },
    '2026-11-21T10:11:00.000Z',
  ),
  event(4726, 'campaign.finished', { ...CAMPAIGN, accepted: 998, refused: 2 }, '2026-11-21T10:12:00.000Z'),
  event(
    4727,
    'template.status',
    { ...TEMPLATE, status: 'REJECTED', previous: 'PENDING', reason: 'INVALID_FORMAT' },
    '2026-11-21T10:13:00.000Z',
  ),
  event(
    4728,
    'template.category',
    { ...TEMPLATE, category: 'MARKETING', previous: 'UTILITY' },
    '2026-11-21T10:14:00.000Z',
  ),
  event(
    4729,
    'template.quality',
    { ...TEMPLATE, quality: 'YELLOW', previous: 'GREEN' },
    '2026-11-21T10:15:00.000Z',
  ),
  event(
    4730,
    'template.content',
    {
      ...TEMPLATE,
      version: '2f1d8a0b6c3e4f57a9d0c1b2e3f40516',
      previous: '9b74c9897bac770ffc029102a200c5de',
    },
    '2026-11-21T10:16:00.000Z',
  ),
  event(
    4731,
    'number.quality',
    { messaging_account_id: MESSAGE.messaging_account_id, quality: 'RED', previous: 'YELLOW' },
    '2026-11-21T10:17:00.000Z',
  ),
  event(
    4732,
    'number.limit',
    { messaging_account_id: MESSAGE.messaging_account_id, limit: 'TIER_10K', previous: 'TIER_2K' },
    '2026-11-21T10:18:00.000Z',
  ),
];
