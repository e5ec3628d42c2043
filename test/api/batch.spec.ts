import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OptOutsService } from '../../src/recipients/opt-outs.service.js';
import { type Answer, type Api, sendBody } from '../support/api.js';
import { UNBALANCED } from '../support/ledger.js';
import '../support/matchers.js';
import { MISPLACED } from '../support/outbox.js';
import { startSecondService, startTestService, type TestService } from '../support/service.js';
import { addTenant, template } from '../support/tenants.js';

const BATCH = '/api/v1/messages/batch';
const OPTED_OUT = '13125550199';

let service: TestService;
let second: { api: Api; stop(): Promise<void> };
beforeAll(async () => {
  service = await startTestService({ ROLE: 'api' }, { limits: false });
  second = await startSecondService(service);
  const wish = { phone: OPTED_OUT, scope: 'all', source: 'api', reason: null } as const;
  await service.app.get(OptOutsService, { strict: false }).set(service.tenantId, wish);
});
afterAll(async () => {
  await second.stop();
  await service.stop();
});

let phones = 0;
const newPhone = () => `1313${String((phones += 1)).padStart(7, '5550000')}`;
const good = (length: number) => Array.from({ length }, () => sendBody(newPhone()));
const keyed = (key: string) => ({ 'Idempotency-Key': key });
const post = (messages: unknown, headers: Record<string, string> = {}, api = service.api) =>
  api.post(BATCH, { messages }, headers);
const idsOf = ({ body }: Answer) =>
  (body.data['results'] as { message_log_id: number }[]).map(({ message_log_id }) => message_log_id);
const codesOf = ({ body }: Answer) =>
  (body.data['results'] as { error?: { code: string } }[]).map(({ error }) => error?.code ?? 'accepted');

const sql = (name: string, text: string) => service.database.run<Record<string, any>>({ name, text });
async function count(): Promise<number> {
  const [row] = await sql('test_count', 'SELECT count(*) AS count FROM message_logs');
  return row?.['count'] as number;
}

describe('A batch', () => {
  it('of 1,000 is accepted in the order of its messages, but for those with a fault, each as by a send', async () => {
    const before = await count();
    const messages: Record<string, any>[] = good(1_000);
    const faulty: [number, object, string][] = [
      [0, { ...sendBody(newPhone()), phone: '12' }, 'INVALID_PHONE'],
      [1, { ...sendBody(newPhone()), schedule_at: 'soon' }, 'VALIDATION_FAILED'],
      [7, { ...sendBody(newPhone()), data: { name: 'no_such_template' } }, 'TEMPLATE_NOT_FOUND'],
      [8, { ...sendBody(newPhone()), data: { name: 'weekly_news', params: ['Amal'] } }, 'TEMPLATE_PAUSED'],
      [500, { ...sendBody(newPhone()), messaging_account_id: 'acc_x' }, 'ACCOUNT_NOT_FOUND'],
      [501, { ...sendBody(newPhone()), max_cost: 0 }, 'COST_ABOVE_MAX'],
      [502, sendBody(OPTED_OUT), 'RECIPIENT_OPTED_OUT'],
      [999, { ...sendBody(newPhone()), data: { name: 'order_update' } }, 'TEMPLATE_PARAMS_MISMATCH'],
    ];
    for (const [index, body] of faulty) messages[index] = body;
    const answer = await post(messages);
    expect(answer.status).toBe(200);
    const { accepted, refused, results } = answer.body.data;
    expect([accepted, refused]).toEqual([1_000 - faulty.length, faulty.length]);
    expect(results.map(({ index }: { index: number }) => index)).toEqual(messages.map((_, index) => index));
    expect(results[2]).toEqual({
      index: 2,
      status: 'queued',
      message_log_id: expect.any(Number),
      conversation_category: 'UTILITY',
      cost: expect.any(Number),
    });
    for (const [index, body, code] of faulty) {
      const alone = await service.api.post('/api/v1/messages/send', body);
      expect(results[index]).toEqual({ index, error: alone.body.error });
      expect(results[index].error.code).toBe(code);
    }
    expect(await count()).toBe(before + accepted);
    expect(await service.api.message(results[998].message_log_id)).toMatchObject({
      phone: messages[998]!['phone'],
    });
    expect(await sql('test_unbalanced', UNBALANCED)).toEqual([]);
    expect(await sql('test_misplaced', MISPLACED)).toEqual([]);
  });

  it('has a result for whatever stands in the place of a message', async () => {
    const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`; // too deep for JSON.stringify
    const others = [{ ...sendBody(newPhone()), phone: 'a\0' }, ...good(1)].map((body) =>
      JSON.stringify(body),
    );
    const messages = ['null', '7', '[]', '{}', deep, ...others].join(',');
    const headers = { 'Content-Type': 'application/json', ...keyed('odd') };
    const answer = await service.api.request('POST', BATCH, `{"messages":[${messages}]}`, headers);
    expect(answer.status).toBe(200);
    expect(codesOf(answer)).toEqual([...Array.from({ length: 6 }, () => 'VALIDATION_FAILED'), 'accepted']);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a list', []],
    ['no messages', {}],
    ['an empty list', { messages: [] }],
    ['no list', { messages: sendBody('+12025550100') }],
    ['more than 1,000', { messages: Array.from({ length: 1_001 }, () => 0) }],
    ['an unknown field', { messages: [sendBody('+12025550100')], mesages: [] }],
  ])('that is none, %s, is refused as a whole', async (_what, body) => {
    const before = await count();
    expect(await service.api.post(BATCH, body)).toBeError(400, 'VALIDATION_FAILED');
    expect(await count()).toBe(before);
  });

  it('that has unknown fields is told of each, up to 50', async () => {
    const fieldsOf = (answer: Answer) =>
      answer.body.error.details.map(({ field }: { field?: string }) => field);
    const two = await service.api.post(BATCH, { mesages: [], messages: [], constructor: 1 });
    expect(two).toBeError(400, 'VALIDATION_FAILED');
    expect(fieldsOf(two)).toEqual(['messages', 'mesages', 'constructor']);
    expect(two.body.error.message).toMatch(/^messages: .* 1 to 1,000 messages \(and 2 more\)\.$/);
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`field_${i}`, 1]));
    expect(fieldsOf(await service.api.post(BATCH, { ...many, messages: good(1) }))).toHaveLength(50);
  });

  it('has 2 MiB, which other operations have not', async () => {
    const padding = (bytes: number) => ({ messages: [{ ...sendBody(newPhone()), note: 'x'.repeat(bytes) }] });
    const answer = await service.api.post(BATCH, padding(2 * 1024 * 1024 - 1_000));
    expect(codesOf(answer)).toEqual(['VALIDATION_FAILED']);
    expect(await service.api.post(BATCH, padding(2 * 1024 * 1024))).toBeError(413, 'PAYLOAD_TOO_LARGE');
    const send = await service.api.post('/api/v1/messages/send', padding(256 * 1024));
    expect(send).toBeError(413, 'PAYLOAD_TOO_LARGE');
  });

  it('reaches nothing of another tenant', async () => {
    const other = await addTenant(service, {
      phones: ['14155551301'],
      templates: [template('order_update', 'Hi.')],
    });
    expect(codesOf(await post(good(1), {}, other.api))).toEqual(['ACCOUNT_NOT_FOUND']);
  });
});

describe('A batch with an Idempotency-Key', () => {
  it('gets its answer again, its faults included, whatever has changed since, from any process', async () => {
    const messages = [...good(2), { ...sendBody(newPhone()), phone: '12' }, sendBody(OPTED_OUT), ...good(1)];
    const first = await post(messages, keyed('batch-1'));
    expect(first.headers.get('Idempotency-Replayed')).toBeNull();
    expect(codesOf(first)).toEqual([
      'accepted',
      'accepted',
      'INVALID_PHONE',
      'RECIPIENT_OPTED_OUT',
      'accepted',
    ]);
    const before = await count();
    for (const api of [service.api, second.api]) {
      const again = await post(messages, keyed('batch-1'), api);
      expect(again.status).toBe(200);
      expect(again.headers.get('Idempotency-Replayed')).toBe('true');
      expect(again.body).toEqual(first.body);
    }
    expect(await count()).toBe(before);
  });

  it('gets it again when nothing was accepted', async () => {
    const messages = [sendBody('12'), sendBody('13')];
    const first = await post(messages, keyed('batch-2'));
    const again = await post(messages, keyed('batch-2'), second.api);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
  });

  it('is refused with another body, and for a send, and so is a send for a batch', async () => {
    const messages = good(1);
    await post(messages, keyed('batch-3'));
    const reused = [422, 'IDEMPOTENCY_KEY_REUSED'] as const;
    expect(await post([...messages, ...good(1)], keyed('batch-3'))).toBeError(...reused);
    expect(await service.api.send(newPhone(), {}, keyed('batch-3'))).toBeError(...reused);
    await service.api.send(newPhone(), {}, keyed('send-3'));
    expect(await post(messages, keyed('send-3'))).toBeError(...reused);
  });

  it('is accepted once, however many send it at the same time to several processes', async () => {
    const messages = good(50);
    const before = await count();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        post(messages, keyed('batch-4'), i % 2 ? second.api : service.api),
      ),
    );
    const told = answers.filter(({ status }) => status === 200);
    expect(told.length).toBeGreaterThan(0);
    for (const answer of told) expect(idsOf(answer)).toEqual(idsOf(told[0] as Answer));
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(answer).toBeError(409, 'IDEMPOTENCY_KEY_IN_USE');
    expect(await count()).toBe(before + 50);
  });
});

describe('A batch whose template changes meanwhile', () => {
  it('is judged anew as a whole', async () => {
    const tenant = await addTenant(service, {
      phones: ['14155551302'],
      templates: [template('fast', 'Hi.'), template('gone', 'Ho.')],
    });
    const of = (name: string) => ({
      ...sendBody(newPhone()),
      messaging_account_id: tenant.accounts[0],
      data: { name },
    });
    expect(codesOf(await post([of('fast'), of('gone')], {}, tenant.api))).toEqual(['accepted', 'accepted']);
    // Behind the caches, as if another process had just learnt it.
    await sql(
      'test_pause',
      `UPDATE templates SET status = 'PAUSED', revision = revision + 1 WHERE name = 'gone'`,
    );
    const answer = await post([of('fast'), of('gone'), of('fast')], keyed('changed'), tenant.api);
    expect(codesOf(answer)).toEqual(['accepted', 'TEMPLATE_PAUSED', 'accepted']);
  });
});
