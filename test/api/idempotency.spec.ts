import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, type Api, sendBody, text } from '../support/api.js';
import '../support/matchers.js';
import { startSecondService, startTestService, type TestService } from '../support/service.js';
import { addTenant, template } from '../support/tenants.js';

const SEND = '/api/v1/messages/send';
const PHONE = '+12025550101';
const DAY = 86_400_000;

let service: TestService;
let second: { api: Api; stop(): Promise<void> };
beforeAll(async () => {
  service = await startTestService({}, { limits: false });
  second = await startSecondService(service);
});
afterAll(async () => {
  await second.stop();
  await service.stop();
});

const keyed = (key: string) => ({ 'Idempotency-Key': key });
const send = (key: string, changes: object = {}, api = service.api) =>
  api.send(PHONE, changes as Record<string, unknown>, keyed(key));
const idOf = (answer: Answer) => answer.body.data['message_log_id'] as number;
const replayed = (answer: Answer) => answer.headers.get('Idempotency-Replayed');

async function messages(): Promise<number> {
  const [row] = await service.database.run<{ count: number }>({
    name: 'count_messages',
    text: 'SELECT count(*) AS count FROM message_logs',
  });
  return row?.count ?? 0;
}

describe('A repeated request', () => {
  it('gets the first answer again, and says so', async () => {
    const before = await messages();
    const first = await send('repeated');
    expect(replayed(first)).toBeNull();
    for (const again of [await send('repeated'), await send('repeated')]) {
      expect(again.status).toBe(202);
      expect(again.body).toEqual(first.body);
      expect(replayed(again)).toBe('true');
    }
    expect(await messages()).toBe(before + 1);
  });

  it('gets the first answer from another process too', async () => {
    const first = await send('elsewhere');
    const again = await send('elsewhere', {}, second.api);
    expect(again.body).toEqual(first.body);
    expect(replayed(again)).toBe('true');
  });

  it('gets the first answer when its fields come in another order', async () => {
    const first = await send('reordered');
    const { data, ...rest } = sendBody(PHONE);
    const reordered = { data: Object.fromEntries(Object.entries(data).toReversed()), ...rest };
    const again = await service.api.post(SEND, reordered, keyed('reordered'));
    expect(idOf(again)).toBe(idOf(first));
  });

  it('gets the first answer although the template was paused meanwhile', async () => {
    const tenant = await addTenant(service, { templates: [template('greeting', 'Hello!')] });
    const greeting = { phone: PHONE, message_type: 'template', data: { name: 'greeting', params: [] } };
    const first = await tenant.api.post(SEND, greeting, keyed('paused'));
    expect(first.status).toBe(202);
    await service.database.run(
      { name: 'pause', text: "UPDATE templates SET status = 'PAUSED' WHERE business_account_id = $1" },
      [tenant.businessAccountId],
    );
    expect(await tenant.api.post(SEND, greeting)).toBeError(422, 'TEMPLATE_PAUSED');
    expect((await tenant.api.post(SEND, greeting, keyed('paused'))).body).toEqual(first.body);
  });

  it('gets the first answer although its scheduled time has passed', async () => {
    const at = {
      scheduled_at: new Date(service.clock.now().getTime() + 600_000).toISOString(),
      timezone: 'UTC',
    };
    const first = await send('scheduled', at);
    service.clock.forward(3_600_000);
    expect((await send('scheduled', at)).body).toEqual(first.body);
  });

  it('makes no second message for 24 hours', async () => {
    const first = await send('day');
    service.clock.forward(DAY - 60_000);
    expect(idOf(await send('day'))).toBe(idOf(first));
  });

  it('makes a new message with another key, or with none', async () => {
    const answers = [
      await send('one'),
      await send('One'),
      await service.api.send(PHONE),
      await service.api.send(PHONE),
    ];
    expect(new Set(answers.map(idOf)).size).toBe(4);
    expect(answers.map(replayed)).toEqual([null, null, null, null]);
  });
});

describe('A key with another body', () => {
  it.each([
    ['another phone', { phone: '+12025550102' }],
    ['another template', { data: { name: 'hello_world' } }],
    ['another parameter', { data: { name: 'order_update', params: ['Amal', 'A-1002'] } }],
    ['parameters in another order', { data: { name: 'order_update', components: [body('A-1001', 'Amal')] } }],
    ['a schedule', { scheduled_at: '2027-02-01T10:00:00Z', timezone: 'UTC' }],
    ['the auto-retry', { auto_retry_on_frequency_cap: true }],
  ])('is IDEMPOTENCY_KEY_REUSED: %s', async (_case, changes) => {
    const first = await send('used');
    expect(first.status).toBe(202);
    const before = await messages();
    expect(await send('used', changes)).toBeError(422, 'IDEMPOTENCY_KEY_REUSED');
    expect(await send('used', changes, second.api)).toBeError(422, 'IDEMPOTENCY_KEY_REUSED');
    expect(idOf(await send('used'))).toBe(idOf(first));
    expect(await messages()).toBe(before);
  });

  it('is accepted when the first request was refused', async () => {
    expect(await send('refused', { phone: '123' })).toBeError(422, 'INVALID_PHONE');
    const sent = await send('refused');
    expect(sent.status).toBe(202);
    expect(replayed(sent)).toBeNull();
  });
});

function body(...texts: string[]) {
  return { type: 'body', parameters: texts.map((value) => text(value)) };
}

describe('Requests at the same time', () => {
  it.each([
    ['in one process', () => [service.api]],
    ['in two processes', () => [service.api, second.api]],
  ])('make one message of 40 %s', async (name, apis) => {
    const before = await messages();
    const list = apis();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        send(`race-${name.replaceAll(' ', '-')}`, {}, list[i % list.length]),
      ),
    );
    const accepted = answers.filter((answer) => answer.status === 202);
    for (const answer of answers.filter((one) => one.status !== 202)) {
      expect(answer).toBeError(409, 'IDEMPOTENCY_KEY_IN_USE', []);
    }
    expect(accepted.filter((answer) => replayed(answer) === null)).toHaveLength(1);
    expect(new Set(accepted.map(idOf)).size).toBe(1);
    expect(await messages()).toBe(before + 1);
  });

  it('with different bodies make one message', async () => {
    const before = await messages();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        send('mixed', { phone: `+1202555010${i % 2}` }, [service.api, second.api][(i % 2) ^ ((i >> 2) % 2)]),
      ),
    );
    expect(answers.filter((one) => one.status === 202 && replayed(one) === null)).toHaveLength(1);
    for (const { status } of answers) expect([202, 409, 422]).toContain(status);
    expect(await messages()).toBe(before + 1);
  });

  it('with different keys are all accepted', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => send(`own-${i}`, {}, i % 2 ? service.api : second.api)),
    );
    expect(new Set(answers.map(idOf)).size).toBe(40);
  });
});

describe('A key', () => {
  it.each(['', ' ', 'two words', 'x'.repeat(256), 'schlüssel', 'tab\tkey'])('is refused: %j', async (key) => {
    const answer = await send(key);
    expect(answer).toBeError(400, 'VALIDATION_FAILED', [{ field: 'Idempotency-Key' }]);
  });

  it.each(['x', '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~', 'x'.repeat(255)])('is accepted: %s', async (key) => {
    const first = await send(key);
    expect(idOf(await send(key))).toBe(idOf(first));
  });

  it('means nothing for another tenant', async () => {
    const tenant = await addTenant(service, { templates: [template('order_update', 'Hello {{1}}, {{2}}!')] });
    const own = await send('shared');
    const changes = { messaging_account_id: tenant.accounts[0] };
    const theirs = await send('shared', changes, tenant.api);
    expect(theirs.status).toBe(202);
    expect(replayed(theirs)).toBeNull();
    expect(idOf(theirs)).not.toBe(idOf(own));
    expect(idOf(await send('shared', changes, tenant.api))).toBe(idOf(theirs));
    expect(idOf(await send('shared'))).toBe(idOf(own));
  });
});
