import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import '../support/matchers.js';
import { startTestService, type TestService } from '../support/service.js';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  // In winter, so that the changes to and from summer time lie ahead.
  service.clock.forward(Date.parse('2027-01-15T12:00:00Z') - Date.now());
});
afterAll(() => service.stop());

const fromNow = (milliseconds: number) =>
  new Date(service.clock.now().getTime() + milliseconds).toISOString();
const PHONE = '+12025550101';

async function schedule(scheduled_at: string, timezone: string, phone = PHONE) {
  const answer = await service.api.send(phone, { scheduled_at, timezone });
  expect(answer.status).toBe(202);
  expect(answer.body.data['status']).toBe('queued');
  return service.api.message(answer.body.data['message_log_id']);
}

const statusOf = async (record: Record<string, any>) =>
  (await service.api.message(record['message_log_id']))['status'];

describe('A scheduled message', () => {
  it.each([
    ['2027-02-01T10:00:00Z', 'Asia/Dubai', '2027-02-01T10:00:00.000Z'],
    ['2027-02-01T10:00:00+04:00', 'Europe/Berlin', '2027-02-01T06:00:00.000Z'],
    ['2027-02-01T10:00:00', 'Asia/Dubai', '2027-02-01T06:00:00.000Z'],
    ['2027-02-01T10:00', 'America/New_York', '2027-02-01T15:00:00.000Z'],
    ['2027-02-01T10:00:00.123456', 'Asia/Kolkata', '2027-02-01T04:30:00.123Z'],
    ['20270201T100000Z', 'UTC', '2027-02-01T10:00:00.000Z'],
    ['2027-03-28T02:30:00', 'Europe/Berlin', '2027-03-28T01:30:00.000Z'],
    ['2027-10-31T02:30:00', 'Europe/Berlin', '2027-10-31T00:30:00.000Z'],
  ])('for %s in %s is due at %s', async (scheduledAt, timezone, instant) => {
    const record = await schedule(scheduledAt, timezone);
    expect(record).toMatchObject({ status: 'scheduled', scheduled_at: instant, timezone, sent_at: null });
    expect(record['attempts']).toBe(0);
  });

  it('is sent at its time, not before', async () => {
    const later = await schedule(fromNow(2 * HOUR), 'UTC', '+12025550160');
    service.clock.forward(2 * HOUR - 60 * SECOND);
    const atOnce = await service.api.send('+12025550161');
    await eventually(async () => expect(await statusOf(atOnce.body.data)).toBe('read'));
    expect(await statusOf(later)).toBe('scheduled');
    expect(service.sandbox.messages().map((message) => message.to)).not.toContain('12025550160');
    service.clock.forward(60 * SECOND);
    await eventually(async () => expect(await statusOf(later)).toBe('read'));
    expect(service.sandbox.messages().filter((message) => message.to === '12025550160')).toHaveLength(1);
  });

  it.each([0, -30 * SECOND, -59 * SECOND])('for %d ms from now is sent at once', async (distance) => {
    const at = fromNow(distance);
    const record = await schedule(at, 'UTC');
    expect(record['scheduled_at']).toBe(at);
    await eventually(async () => expect(await statusOf(record)).toBe('delivered'));
  });

  it('may be due in 365 days', async () => {
    expect(await schedule(fromNow(365 * DAY - SECOND), 'UTC')).toMatchObject({ status: 'scheduled' });
  });

  it('goes out as it was accepted, although its template was changed', async () => {
    const record = await schedule(fromNow(HOUR), 'UTC', '+12025550162');
    const edit = (text: string) =>
      service.database.run(
        {
          name: 'edit_template',
          text: `UPDATE templates SET revision = revision + 1, body_json = jsonb_build_array(
            jsonb_build_object('type', 'BODY', 'text', $1::text)) WHERE name = 'order_update' AND language = 'en_US'`,
        },
        [text],
      );
    await edit('Hello {{1}}, {{2}} and {{3}}!');
    expect(await service.api.send(PHONE)).toBeError(422, 'TEMPLATE_PARAMS_MISMATCH');
    service.clock.forward(HOUR);
    await eventually(async () => expect(await statusOf(record)).toBe('read'));
    const taken = service.sandbox.messages().find((message) => message.to === '12025550162');
    expect(taken?.components).toEqual(record['components']);
    await edit('Hello {{1}}, your order {{2}} is on its way.');
    await service.database.notify('changed', 'templates:');
    await eventually(async () => expect((await service.api.send(PHONE)).status).toBe(202));
  });
});

describe('An invalid schedule', () => {
  it.each([
    ['without a time zone', 'TIMEZONE_REQUIRED', () => ({ scheduled_at: fromNow(HOUR) })],
    ['without a time zone, and in the past', 'TIMEZONE_REQUIRED', () => ({ scheduled_at: fromNow(-HOUR) })],
    [
      'with null as the time zone',
      'TIMEZONE_REQUIRED',
      () => ({ scheduled_at: fromNow(HOUR), timezone: null }),
    ],
    ['with an empty time zone', 'INVALID_TIMEZONE', () => ({ scheduled_at: fromNow(HOUR), timezone: '' })],
    [
      'with an offset as the time zone',
      'INVALID_TIMEZONE',
      () => ({ scheduled_at: fromNow(HOUR), timezone: '+04:00' }),
    ],
    [
      'with an unknown time zone',
      'INVALID_TIMEZONE',
      () => ({ scheduled_at: fromNow(HOUR), timezone: 'Asia/Atlantis' }),
    ],
    ['with an unknown time zone and nothing else', 'INVALID_TIMEZONE', () => ({ timezone: 'Asia/Atlantis' })],
    ['61 s ago', 'SCHEDULED_AT_IN_PAST', () => ({ scheduled_at: fromNow(-61 * SECOND), timezone: 'UTC' })],
    ['long ago', 'SCHEDULED_AT_IN_PAST', () => ({ scheduled_at: '0001-01-01T00:00:00Z', timezone: 'UTC' })],
    [
      'in a year',
      'SCHEDULED_AT_TOO_FAR',
      () => ({ scheduled_at: fromNow(365 * DAY + 5 * SECOND), timezone: 'UTC' }),
    ],
    ['in ages', 'SCHEDULED_AT_TOO_FAR', () => ({ scheduled_at: '9999-12-31T23:59:59Z', timezone: 'UTC' })],
  ])('%s is %s', async (_case, code, changes) => {
    expect(await service.api.send(PHONE, changes())).toBeError(422, code);
  });

  it.each([
    '2027-02-30T10:00:00Z',
    '2027-02-01',
    '2027-02-01T24:00:00Z',
    '2027-02-01T10:00:60Z',
    '2027-02-01 10:00:00',
    '2027-02-01T10:00:00[UTC]',
    '2027-W05-1T10:00:00Z',
    '+012027-02-01T10:00:00Z',
    '1800000000',
  ])('at %s is VALIDATION_FAILED', async (scheduled_at) => {
    const answer = await service.api.send(PHONE, { scheduled_at, timezone: 'UTC' });
    expect(answer).toBeError(400, 'VALIDATION_FAILED', [expect.objectContaining({ field: 'scheduled_at' })]);
  });

  it('does not arise from a time zone alone', async () => {
    const sent = await service.api.send(PHONE, { timezone: 'Asia/Dubai' });
    const record = await service.api.message(sent.body.data['message_log_id']);
    expect(record).toMatchObject({ scheduled_at: null, timezone: null });
  });
});
