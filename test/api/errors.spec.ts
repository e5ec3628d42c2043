import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { DEMO } from '../../src/embedded/demo.js';
import { type Answer, Api, sendBody } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { directUrlOf } from '../support/infrastructure.js';
import '../support/matchers.js';
import { startTestService, type TestService } from '../support/service.js';

const SEND = '/api/v1/messages/send';
const TEMPLATES = `/api/v1/templates?messaging_account_id=${DEMO.numbers[0].apiId}`;
const PHONE = '+12025550100';
const JSON_TYPE = { 'Content-Type': 'application/json' };

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const template = (name: string, others: object = {}) => ({ data: { name, ...others } });
const scheduled = (scheduled_at: string, timezone?: string) => ({ scheduled_at, timezone });
const inOneYearAndADay = () => new Date(Date.now() + 366 * 86_400_000).toISOString();
const keyed = (key: string) => ({ 'Idempotency-Key': key });

type Provoke = (api: Api) => Promise<Answer>;

const ERRORS: [number, string, Provoke][] = [
  [400, 'VALIDATION_FAILED', (api) => api.post(SEND, {})],
  [400, 'INVALID_JSON', (api) => api.request('POST', SEND, '{"phone":', JSON_TYPE)],
  [401, 'UNAUTHORIZED', (api) => new Api(api.url, null).get(TEMPLATES)],
  [403, 'TENANT_FORBIDDEN', (api) => api.get(TEMPLATES, { 'X-TENANT-ID': randomUUID() })],
  [404, 'ACCOUNT_NOT_FOUND', (api) => api.send(PHONE, { messaging_account_id: 'acc_Nobody' })],
  [404, 'TEMPLATE_NOT_FOUND', (api) => api.send(PHONE, template('no_such_template'))],
  [404, 'MESSAGE_NOT_FOUND', (api) => api.get('/api/v1/messages/999999')],
  [404, 'NOT_FOUND', (api) => api.get('/api/v1/nothing')],
  [405, 'METHOD_NOT_ALLOWED', (api) => api.request('DELETE', '/api/v1/templates')],
  [413, 'PAYLOAD_TOO_LARGE', (api) => api.request('POST', SEND, ' '.repeat(300_000), JSON_TYPE)],
  [
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    (api) => api.request('POST', SEND, 'a=b', { 'Content-Type': 'text/plain' }),
  ],
  [
    422,
    'TEMPLATE_HEADER_MEDIA_REQUIRED',
    (api) => api.send(PHONE, template('order_receipt', { params: ['1'] })),
  ],
  [422, 'TEMPLATE_PARAMS_MISMATCH', (api) => api.send(PHONE, template('order_update'))],
  [422, 'TEMPLATE_PAUSED', (api) => api.send(PHONE, template('weekly_news', { params: ['Amal'] }))],
  [422, 'INVALID_PHONE', (api) => api.send('12345')],
  [422, 'TIMEZONE_REQUIRED', (api) => api.send(PHONE, scheduled('2030-01-01T10:00:00Z'))],
  [422, 'INVALID_TIMEZONE', (api) => api.send(PHONE, scheduled('2030-01-01T10:00:00Z', 'Mars/Base'))],
  [422, 'SCHEDULED_AT_IN_PAST', (api) => api.send(PHONE, scheduled('2020-01-01T10:00:00Z', 'UTC'))],
  [422, 'SCHEDULED_AT_TOO_FAR', (api) => api.send(PHONE, scheduled(inOneYearAndADay(), 'UTC'))],
  [
    422,
    'MESSAGING_ACCOUNT_REQUIRED',
    (api) =>
      api.send(PHONE, {
        ...template('order_update', { params: ['1', '2'] }),
        messaging_account_id: undefined,
      }),
  ],
];

describe('Every error', () => {
  it.each(ERRORS)('answers %i %s in the envelope', async (status, code, provoke) => {
    const answer = await provoke(service.api);
    expect(answer).toBeError(status, code);
    expect(answer.headers.get('WWW-Authenticate')).toBe(code === 'UNAUTHORIZED' ? 'Bearer' : null);
    expect(answer.headers.get('Allow')).toBe(code === 'METHOD_NOT_ALLOWED' ? 'GET' : null);
    expect(answer.headers.get('Retry-After')).toBeNull();
  });

  it('answers 409 MESSAGE_NOT_CANCELABLE for a message that was sent', async () => {
    const { message_log_id: id } = (await service.api.send('+12025550102')).body.data;
    await eventually(async () => expect((await service.api.message(id))['status']).toBe('sent'));
    const answer = await service.api.post(`/api/v1/messages/${id}/cancel`);
    expect(answer).toBeError(409, 'MESSAGE_NOT_CANCELABLE', [{ field: 'message_log_id', status: 'sent' }]);
  });

  it('answers 422 IDEMPOTENCY_KEY_REUSED for a key with another body', async () => {
    expect((await service.api.send(PHONE, {}, keyed('reused'))).status).toBe(202);
    expect(await service.api.send('+12025550101', {}, keyed('reused'))).toBeError(
      422,
      'IDEMPOTENCY_KEY_REUSED',
    );
  });

  it('answers 409 IDEMPOTENCY_KEY_IN_USE while the first request is under way', async () => {
    const client = await connect();
    await client.query('BEGIN; LOCK TABLE message_logs IN ACCESS EXCLUSIVE MODE');
    const both = [1, 2].map(() => service.api.send(PHONE, {}, keyed('in-use')));
    expect(await Promise.race(both)).toBeError(409, 'IDEMPOTENCY_KEY_IN_USE');
    await client.query('COMMIT');
    await client.end();
    expect((await Promise.all(both)).map((answer) => answer.status).toSorted()).toEqual([202, 409]);
  });

  it('answers 500 INTERNAL_ERROR without internals for a fault of the service', async () => {
    const client = await connect();
    await client.query('ALTER TABLE message_events RENAME TO hidden');
    const { message_log_id: id } = (await service.api.send(PHONE, scheduled(inAnHour(), 'UTC'))).body.data;
    const answer = await service.api.get(`/api/v1/messages/${id}`);
    await client.query('ALTER TABLE hidden RENAME TO message_events');
    await client.end();
    expect(answer).toBeError(500, 'INTERNAL_ERROR', []);
    expect(answer.text).not.toMatch(/message_events|relation|select|\.ts|\.js/i);
  });

  it('answers 503 SERVICE_UNAVAILABLE with Retry-After while the database takes no writes', async () => {
    const client = await connect();
    const name = new URL(service.config.DATABASE_URL).pathname.slice(1);
    const setReadOnly = async (value: string) => {
      await client.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`);
      await client.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()',
        [name],
      );
    };
    await setReadOnly('on');
    const answer = await service.api.send(PHONE);
    expect(answer).toBeError(503, 'SERVICE_UNAVAILABLE', []);
    expect(answer.headers.get('Retry-After')).toMatch(/^[1-9]\d*$/);
    await setReadOnly('off');
    await client.end();
    await eventually(async () => expect((await service.api.send(PHONE)).status).toBe(202));
  });
});

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

async function connect(): Promise<Client> {
  const client = new Client({ connectionString: directUrlOf(service.config) });
  await client.connect();
  return client;
}

describe('The request id', () => {
  it.each(['a', 'order-42', `${'x'.repeat(128)}`, '!"#~{}'])("keeps the caller's own: %s", async (own) => {
    const answer = await service.api.get('/api/v1/nothing', { 'X-Request-Id': own });
    expect(answer.headers.get('X-Request-Id')).toBe(own);
    expect(answer).toBeError(404, 'NOT_FOUND');
    expect((await service.api.get(TEMPLATES, { 'X-Request-Id': own })).headers.get('X-Request-Id')).toBe(own);
  });

  it.each(['', 'two words', 'x'.repeat(129), 'café', 'tab\there'])('replaces %j', async (own) => {
    const answer = await service.api.get('/api/v1/nothing', { 'X-Request-Id': own });
    expect(answer.headers.get('X-Request-Id')).not.toBe(own);
    expect(answer).toBeError(404, 'NOT_FOUND');
  });

  it('differs from request to request', async () => {
    const ids = await Promise.all(
      [1, 2, 3].map(async () => (await service.api.get(TEMPLATES)).headers.get('X-Request-Id')),
    );
    expect(new Set(ids).size).toBe(3);
  });
});

const key = () => service.api.key as string;

describe('The key', () => {
  it.each([
    ['a missing header', () => ({})],
    ['an empty one', () => ({ Authorization: '' })],
    ['no scheme', () => ({ Authorization: key() })],
    ['another scheme', () => ({ Authorization: `Basic ${key()}` })],
    ['an unknown key', () => ({ Authorization: `Bearer tms_${'x'.repeat(40)}` })],
    ['a key cut short', () => ({ Authorization: `Bearer ${key().slice(0, -1)}` })],
    ['a key and more', () => ({ Authorization: `Bearer ${key()} more` })],
    ['the key in other capitals', () => ({ Authorization: `Bearer ${key().toUpperCase()}` })],
    ['a very long one', () => ({ Authorization: `Bearer ${'x'.repeat(8_000)}` })],
  ])('is refused as %s, on every route', async (_case, headers) => {
    const api = new Api(service.url, null, headers() as Record<string, string>);
    const answers = await Promise.all([
      api.get(TEMPLATES),
      api.get('/api/v1/templates/'),
      api.get('/api/v1/nothing'),
      api.request('DELETE', SEND),
      api.request('OPTIONS', SEND),
      api.request('POST', SEND, 'not json', JSON_TYPE),
      api.request('POST', SEND, ' '.repeat(300_000), JSON_TYPE),
    ]);
    for (const answer of answers) {
      expect(answer).toBeError(401, 'UNAUTHORIZED', []);
      expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer');
    }
  });
});

const padded = (bytes: number) => JSON.stringify(sendBody(PHONE)).padEnd(bytes);

describe('The size of a body', () => {
  it('may be 256 KiB', async () => {
    expect((await service.api.request('POST', SEND, padded(262_144), JSON_TYPE)).status).toBe(202);
  });

  it('may not be larger by one byte', async () => {
    expect(await service.api.request('POST', SEND, padded(262_145), JSON_TYPE)).toBeError(
      413,
      'PAYLOAD_TOO_LARGE',
      [],
    );
  });
});

describe('Methods', () => {
  it.each([
    ['PUT', '/api/v1/templates', 'GET'],
    ['POST', '/api/v1/templates', 'GET'],
    ['OPTIONS', '/api/v1/templates', 'GET'],
    ['DELETE', '/api/v1/messages', 'GET'],
    ['PATCH', '/api/v1/messages/1', 'GET'],
    ['GET', '/api/v1/messages/1/cancel', 'POST'],
    ['POST', '/health/live', 'GET'],
  ])('%s %s is answered by 405 with "Allow: %s"', async (method, path, allow) => {
    const answer = await service.api.request(method, path);
    expect(answer).toBeError(405, 'METHOD_NOT_ALLOWED', []);
    expect(answer.headers.get('Allow')).toBe(allow);
  });
});
