import type {
  MessageEventDto,
  MessageListResponse,
  MessageRecord,
  MessageResponse,
  MessageSummary,
} from './message-record.dto.js';

const ID = 'wamid.HBgLMTIwMjU1NTAxMDA';

const READ: MessageSummary = {
  message_log_id: 1,
  messaging_account_id: 'acc_DemoSalesNumber00001',
  phone: '12025550100',
  client_reference: 'order-A-1001',
  metadata: { shop: '7' },
  template: { name: 'order_update', language: 'en_US', version: '90cb4669c449c84b174f865118b608e2' },
  components: [
    {
      type: 'body',
      parameters: [
        { type: 'text', text: 'Amal' },
        { type: 'text', text: 'A-1001' },
      ],
    },
  ],
  status: 'read',
  conversation_category: 'UTILITY',
  cost: 0.004,
  currency: 'USD',
  scheduled_at: null,
  timezone: null,
  valid_until: null,
  max_cost: null,
  expect: null,
  auto_retry_on_frequency_cap: false,
  retry_count: 0,
  retry_of: null,
  attempts: 1,
  provider_message_id: ID,
  error: null,
  created_at: '2026-11-21T10:00:00.160Z',
  sent_at: '2026-11-21T10:00:00.193Z',
  delivered_at: '2026-11-21T10:00:02.000Z',
  read_at: '2026-11-21T10:00:05.000Z',
  failed_at: null,
  canceled_at: null,
  delivery_verdict: null,
};

const FAILED: MessageSummary = {
  ...READ,
  message_log_id: 2,
  phone: '12025550112',
  client_reference: null,
  metadata: null,
  template: { name: 'spring_offer', language: 'en_US', version: '1f0c8a4be3de0bd9f3a8a2f2a75be0cf' },
  components: [
    {
      type: 'header',
      parameters: [{ type: 'image', image: { link: 'https://example.com/samples/spring.jpg' } }],
    },
    {
      type: 'body',
      parameters: [
        { type: 'text', text: 'Amal' },
        { type: 'text', text: '20 %' },
      ],
    },
  ],
  status: 'failed',
  conversation_category: 'MARKETING',
  cost: 0.02,
  auto_retry_on_frequency_cap: true,
  error: {
    code: 131049,
    title: 'This message was not delivered to maintain healthy ecosystem engagement.',
    details: 'In order to maintain a healthy ecosystem engagement, the message failed to be delivered.',
  },
  delivered_at: null,
  read_at: null,
  failed_at: '2026-11-21T10:00:02.353Z',
};

const CANCELED: MessageSummary = {
  ...READ,
  message_log_id: 3,
  status: 'canceled',
  scheduled_at: '2026-12-24T14:00:00.000Z',
  timezone: 'Asia/Dubai',
  attempts: 0,
  provider_message_id: null,
  sent_at: null,
  delivered_at: null,
  read_at: null,
  canceled_at: '2026-11-21T10:05:00.000Z',
};

const event = (name: string, time: string, details: MessageEventDto['details'] = null): MessageEventDto => ({
  event: name,
  occurred_at: time,
  recorded_at: time,
  details,
});

const receipt = (name: string, time: string, recordedAt: string): MessageEventDto => ({
  ...event(name, time, { source: 'receipt', recipient_id: '12025550100', provider_message_id: ID }),
  recorded_at: recordedAt,
});

const answer = {
  waId: '12025550100',
  source: 'answer',
  attempt: 1,
  messageId: ID,
  messageStatus: 'accepted',
};

const READ_RECORD: MessageRecord = {
  ...READ,
  events: [
    event('accepted', '2026-11-21T10:00:00.160Z'),
    event('sent', '2026-11-21T10:00:00.193Z', answer),
    receipt('delivered', '2026-11-21T10:00:02.000Z', '2026-11-21T10:00:02.353Z'),
    receipt('read', '2026-11-21T10:00:05.000Z', '2026-11-21T10:00:05.410Z'),
  ],
};

const CANCELED_RECORD: MessageRecord = {
  ...CANCELED,
  events: [event('accepted', '2026-11-21T10:00:00.160Z'), event('canceled', '2026-11-21T10:05:00.000Z')],
};

export const MESSAGE_EXAMPLE: MessageResponse = { success: true, data: READ_RECORD };
export const CANCELED_EXAMPLE: MessageResponse = { success: true, data: CANCELED_RECORD };
export const MESSAGE_LIST_EXAMPLE: MessageListResponse = {
  success: true,
  data: [CANCELED, FAILED, READ],
  next_cursor: null,
};
