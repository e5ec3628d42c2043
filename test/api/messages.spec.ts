import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DEMO } from '../../src/embedded/demo.js';
import { text } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import '../support/matchers.js';
import { startTestService, type TestService } from '../support/service.js';
import { addTenant, template } from '../support/tenants.js';

const FIELDS = [
  'message_log_id',
  'messaging_account_id',
  'phone',
  'template',
  'components',
  'status',
  'conversation_category',
  'cost',
  'currency',
  'scheduled_at',
  'timezone',
  'auto_retry_on_frequency_cap',
  'retry_count',
  'retry_of',
  'attempts',
  'provider_message_id',
  'error',
  'created_at',
  'sent_at',
  'delivered_at',
  'read_at',
  'failed_at',
  'canceled_at',
  'delivery_verdict',
  'client_reference',
  'metadata',
  'valid_until',
  'max_cost',
  'expect',
  'events',
].toSorted();
const HOUR = 3_600_000;
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

type Row = Record<string, any>;
let service: TestService;
beforeAll(async () => {
  service = await startTestService({}, { slowDelay: 300 });
});
afterAll(() => service.stop());

async function send(phone: string, changes: Record<string, unknown> = {}): Promise<number> {
  const answer = await service.api.send(phone, changes);
  expect(answer.status).toBe(202);
  return answer.body.data['message_log_id'] as number;
}
const inHours = (hours: number) => ({
  scheduled_at: new Date(service.clock.now().getTime() + hours * HOUR).toISOString(),
  timezone: 'UTC',
});
const becomes = (id: number, status: string): Promise<Row> =>
  eventually(async () => {
    const message = await service.api.message(id);
    expect(message['status']).toBe(status);
    return message;
  });
const eventsOf = (record: Row) => record['events'].map((event: Row) => event['event']);

describe('A record', () => {
  it('has exactly the documented fields when it is scheduled', async () => {
    const schedule = inHours(1);
    const id = await send('+1 202 555 0100', { ...schedule, auto_retry_on_frequency_cap: true });
    const answer = await service.api.get(`/api/v1/messages/${id}`);
    expect(Object.keys(answer.body)).toEqual(['success', 'data']);
    expect(Object.keys(answer.body.data).toSorted()).toEqual(FIELDS);
    expect(answer.body.data).toEqual({
      message_log_id: id,
      messaging_account_id: DEMO.numbers[0].apiId,
      phone: '12025550100',
      template: { name: 'order_update', language: 'en_US', version: expect.stringMatching(/^[0-9a-f]{32}$/) },
      components: [{ type: 'body', parameters: [text('Amal'), text('A-1001')] }],
      status: 'scheduled',
      conversation_category: 'UTILITY',
      cost: 0.004,
      currency: 'USD',
      ...schedule,
      auto_retry_on_frequency_cap: true,
      retry_count: 0,
      retry_of: null,
      attempts: 0,
      provider_message_id: null,
      error: null,
      created_at: TIME,
      sent_at: null,
      delivered_at: null,
      read_at: null,
      failed_at: null,
      canceled_at: null,
      delivery_verdict: null,
      client_reference: null,
      metadata: null,
      valid_until: null,
      max_cost: null,
      expect: null,
      events: [{ event: 'accepted', occurred_at: TIME, recorded_at: TIME, details: null }],
    });
  });

  it('has exactly the documented fields when it is read, with times and events in order', async () => {
    const record = await becomes(await send('+12025550100'), 'read');
    expect(Object.keys(record).toSorted()).toEqual(FIELDS);
    expect(record).toMatchObject({
      attempts: 1,
      error: null,
      provider_message_id: expect.stringMatching(/^wamid\./),
    });
    expect(record).toMatchObject({ sent_at: TIME, delivered_at: TIME, read_at: TIME, failed_at: null });
    expect(record).toMatchObject({ scheduled_at: null, timezone: null, auto_retry_on_frequency_cap: false });
    for (const event of record['events']) {
      expect(Object.keys(event).toSorted()).toEqual(['details', 'event', 'occurred_at', 'recorded_at']);
      expect(event).toMatchObject({ occurred_at: TIME, recorded_at: TIME });
    }
    expect(eventsOf(record)[0]).toBe('accepted');
    expect(eventsOf(record)).toEqual(expect.arrayContaining(['sent', 'delivered', 'read']));
  });
});

describe('A message to the recipient', () => {
  const done = { error: null, failed_at: null };
  const failed = (code: number) => ({
    status: 'failed',
    error: { code, title: expect.any(String), details: expect.any(String) },
    failed_at: TIME,
    read_at: null,
  });
  const ROWS: [string, string, object, string[]][] = [
    ['read', '0100', { status: 'read', ...done }, ['sent', 'delivered', 'read']],
    ['delivered_only', '0101', { status: 'delivered', read_at: null, ...done }, ['sent', 'delivered']],
    ['sent_only', '0102', { status: 'sent', sent_at: TIME, delivered_at: null, ...done }, ['sent']],
    ['read_without_delivered', '0103', { status: 'read', delivered_at: TIME, ...done }, ['sent', 'read']],
    ['undeliverable', '0110', { ...failed(131026), attempts: 1, sent_at: null }, ['failed']],
    ['undeliverable_later', '0111', { ...failed(131026), sent_at: TIME }, ['sent', 'failed']],
    ['marketing_cap', '0112', { ...failed(131049), sent_at: TIME }, ['sent', 'failed']],
    ['marketing_cap_at_once', '0113', { ...failed(131049), sent_at: null }, ['failed']],
    ['number_rate', '0120', { status: 'read', attempts: 3, ...done }, ['retry', 'sent', 'read']],
    ['pair_rate', '0121', { status: 'read', attempts: 2, ...done }, ['retry', 'sent', 'read']],
    ['transient', '0122', { status: 'read', attempts: 3, ...done }, ['retry', 'sent', 'read']],
    ['bare_503', '0123', { status: 'read', attempts: 2, ...done }, ['retry', 'sent', 'read']],
    ['slow', '0130', { status: 'read', attempts: 1, ...done }, ['sent', 'delivered', 'read']],
    [
      'taken_connection_lost',
      '0133',
      { status: 'read', attempts: 1, ...done },
      ['outcome_unknown', 'delivered'],
    ],
    ['held', '0140', { status: 'delivered', ...done }, ['sent', 'delivered']],
    ['held_then_failed', '0141', failed(132015), ['sent', 'failed']],
    ['disorder', '0142', { status: 'read', ...done }, ['read', 'sent', 'delivered']],
    ['delivered_after_failed', '0143', { status: 'delivered', ...done }, ['failed', 'delivered']],
  ];
  const ids = new Map<string, number>();
  beforeAll(async () => {
    for (const [name, suffix] of ROWS) {
      // This one puts its template on hold: a template that no other message has.
      const changes = name === 'held_then_failed' ? { data: { name: 'hello_world' } } : {};
      ids.set(suffix, await send(`+971 50 123 ${suffix}`, changes));
    }
  });

  it.each(ROWS)('%s (%s) ends as documented', async (_name, suffix, record, events) => {
    const message = await eventually(async () => {
      const now = await service.api.message(ids.get(suffix) as number);
      expect(now).toMatchObject({ ...record, canceled_at: null });
      expect(eventsOf(now)).toEqual(expect.arrayContaining(['accepted', ...events]));
      return now;
    });
    expect(Object.keys(message).toSorted()).toEqual(FIELDS);
    const times = ['created_at', 'sent_at', 'delivered_at', 'read_at']
      .map((name) => message[name])
      .filter(Boolean);
    expect(times.every((time) => !Number.isNaN(Date.parse(time)))).toBe(true);
  });

  it('marketing_cap with the opt-in has one retry 26 hours after the failure', async () => {
    const first = await becomes(await send('+12025550112', { auto_retry_on_frequency_cap: true }), 'failed');
    const list = (await service.api.get('/api/v1/messages?status=scheduled&phone=12025550112')).body.data;
    expect(list).toHaveLength(1);
    const retry = (list as unknown as Row[])[0] as Row;
    expect(retry).toMatchObject({
      retry_of: first['message_log_id'],
      retry_count: 1,
      auto_retry_on_frequency_cap: false,
      template: first['template'],
      components: first['components'],
      scheduled_at: new Date(Date.parse(first['failed_at']) + 26 * HOUR).toISOString(),
    });
    expect((await service.api.post(`/api/v1/messages/${retry['message_log_id']}/cancel`)).status).toBe(200);
  });
});

const cancel = (id: number) =>
  service.api.post(`/api/v1/messages/${id}/cancel`, undefined, { 'X-Request-Id': 'c' });

describe('Cancel', () => {
  it('stops a scheduled message for good, and answers the same when it is repeated', async () => {
    const id = await send('+12025550160', inHours(1));
    const first = await cancel(id);
    expect(first.status).toBe(200);
    expect(first.body).toEqual({ success: true, data: await service.api.message(id) });
    expect(first.body.data).toMatchObject({
      status: 'canceled',
      canceled_at: TIME,
      attempts: 0,
      error: null,
    });
    expect(eventsOf(first.body.data)).toEqual(['accepted', 'canceled']);
    const again = await cancel(id);
    expect({ status: again.status, text: again.text }).toEqual({ status: 200, text: first.text });
    service.clock.forward(2 * HOUR);
    await becomes(await send('+12025550161'), 'read');
    expect(service.sandbox.messages().map((message) => message.to)).not.toContain('12025550160');
    expect((await cancel(id)).text).toBe(first.text);
  });

  it.each([
    ['sent', '+12025550102'],
    ['delivered', '+12025550101'],
    ['read', '+12025550100'],
    ['failed', '+12025550110'],
  ])('is refused for a message that is %s', async (status, phone) => {
    const id = await send(phone);
    await becomes(id, status);
    expect(await cancel(id)).toBeError(409, 'MESSAGE_NOT_CANCELABLE', [{ field: 'message_log_id', status }]);
    expect(await service.api.message(id)).toMatchObject({ status, canceled_at: null });
  });

  it('works for a message that waits for the end of a hold', async () => {
    const tenant = await addTenant(service, { templates: [template('greeting', 'Hello!')] });
    const body = { phone: '+12025550151', message_type: 'template', data: { name: 'greeting', params: [] } };
    const id = (await tenant.api.post('/api/v1/messages/send', body)).body.data['message_log_id'];
    await eventually(async () => {
      expect(await tenant.api.message(id)).toMatchObject({ status: 'queued', attempts: 1 });
    });
    const answer = await tenant.api.post(`/api/v1/messages/${id}/cancel`);
    expect(answer.body.data).toMatchObject({ status: 'canceled', attempts: 1 });
  });
});
