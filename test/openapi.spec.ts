import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SCOPES } from '../src/accounts/domain/scopes.js';
import { ERROR_STATUS, type ErrorCode } from '../src/common/errors.js';
import { withFreshSchedule } from '../src/openapi/schedule.js';
import { eventually } from './support/eventually.js';
import { createTestDatabase, databaseVariables, testRedisUrl } from './support/infrastructure.js';
import { pathOf, routesOf } from './support/routes.js';
import { SECRETS, startTestService, testConfig, type TestService } from './support/service.js';

type Json = Record<string, any>;

const document: Json = JSON.parse(readFileSync('openapi.json', 'utf8'));
const send: Json = document['paths']['/api/v1/messages/send'].post;

/** Every documented operation, as `GET /api/v1/templates`. */
const operations = new Map<string, Json>(
  Object.entries<Json>(document['paths']).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]): [string, Json] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  ),
);

const jsonOf = (holder: Json): Json => holder['content']['application/json'];

/** The examples of an operation's errors, by code. */
const errorsOf = (operation: Json): [ErrorCode, Json][] =>
  Object.entries<Json>(operation['responses'])
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([, response]) => Object.entries<Json>(jsonOf(response)['examples']))
    .map(([code, example]) => [code as ErrorCode, example['value'].error]);

/** A request that is answered with an error; FAULTS names its operation. */
interface Fault {
  query?: string;
  id?: string;
  headers?: Record<string, string>;
  body?: string | Json;
}

const LIST_TEMPLATES = 'GET /api/v1/templates';
const SEND = 'POST /api/v1/messages/send';
const VALIDATE = 'POST /api/v1/messages/validate';
const LIST = 'GET /api/v1/messages';
const GET = 'GET /api/v1/messages/{message_log_id}';
const ID = /\{\w+\}/;
const LIST_EVENTS = 'GET /api/v1/events';
const LIST_OPT_OUTS = 'GET /api/v1/opt-outs';
const PUT_OPT_OUT = 'PUT /api/v1/opt-outs/{phone}';
const DELETE_OPT_OUT = 'DELETE /api/v1/opt-outs/{phone}';
const CANCEL = 'POST /api/v1/messages/{message_log_id}/cancel';

/** A valid send; an undefined field is left out. */
const sending = (
  changes: Json,
  data: Json = { name: 'order_update', params: ['Amal', 'A-1001'] },
): Fault => ({
  body: { ...jsonOf(send['requestBody'])['examples'].params.value, data, ...changes },
});
const template = (name: string, parameters?: string[]): Fault => {
  const components = [{ type: 'body', parameters: parameters?.map((text) => ({ type: 'text', text })) }];
  return sending({}, parameters ? { name, components } : { name });
};
const year = (years: number) => `${new Date().getUTCFullYear() + years}-12-24T18:00:00`;
const timezone = 'Asia/Dubai';

/** One request for each documented error that a request alone can cause. */
const FAULTS: [operation: string, code: ErrorCode, fault: Fault][] = [
  [LIST_TEMPLATES, 'VALIDATION_FAILED', {}],
  [LIST_TEMPLATES, 'ACCOUNT_NOT_FOUND', { query: '?messaging_account_id=acc_unknown' }],
  [LIST_TEMPLATES, 'UNAUTHORIZED', { headers: { Authorization: 'Bearer tms_wrong' } }],
  [
    LIST_TEMPLATES,
    'TENANT_FORBIDDEN',
    { headers: { 'X-TENANT-ID': '0b9f2c1e-7a34-4d55-9c1b-3f8e2a6d7c10' } },
  ],
  [SEND, 'VALIDATION_FAILED', sending({ schedule_at: year(0) })],
  [SEND, 'INVALID_JSON', { body: '{"phone":' }],
  [SEND, 'ACCOUNT_NOT_FOUND', sending({ messaging_account_id: 'acc_unknown' })],
  [SEND, 'TEMPLATE_NOT_FOUND', template('winter_offer', ['Amal'])],
  [SEND, 'PAYLOAD_TOO_LARGE', sending({ phone: '1'.repeat(256 * 1024) })],
  [SEND, 'UNSUPPORTED_MEDIA_TYPE', { body: 'phone=1', headers: { 'Content-Type': 'text/plain' } }],
  [SEND, 'TEMPLATE_HEADER_MEDIA_REQUIRED', template('spring_offer')],
  [SEND, 'TEMPLATE_PARAMS_MISMATCH', template('order_update', ['Amal', 'A-1001', 'B'])],
  [SEND, 'TEMPLATE_PAUSED', template('weekly_news', ['Amal'])],
  [SEND, 'INVALID_PHONE', sending({ phone: '12345' })],
  [SEND, 'TIMEZONE_REQUIRED', sending({ scheduled_at: year(1) })],
  [SEND, 'INVALID_TIMEZONE', sending({ scheduled_at: year(1), timezone: 'Dubai' })],
  [SEND, 'SCHEDULED_AT_IN_PAST', sending({ scheduled_at: year(-1), timezone })],
  [SEND, 'SCHEDULED_AT_TOO_FAR', sending({ scheduled_at: year(2), timezone })],
  [SEND, 'MESSAGING_ACCOUNT_REQUIRED', sending({ messaging_account_id: undefined })],
  [VALIDATE, 'INVALID_JSON', { body: '{"phone":' }],
  [VALIDATE, 'PAYLOAD_TOO_LARGE', sending({ phone: '1'.repeat(256 * 1024) })],
  [VALIDATE, 'UNSUPPORTED_MEDIA_TYPE', { body: 'phone=1', headers: { 'Content-Type': 'text/plain' } }],
  [LIST, 'VALIDATION_FAILED', { query: '?limit=0' }],
  [LIST, 'ACCOUNT_NOT_FOUND', { query: '?messaging_account_id=acc_unknown' }],
  [LIST, 'INVALID_PHONE', { query: '?phone=12345' }],
  [GET, 'VALIDATION_FAILED', { id: '%E0%A4%A' }],
  [GET, 'MESSAGE_NOT_FOUND', {}],
  [CANCEL, 'VALIDATION_FAILED', { id: '%E0%A4%A' }],
  [CANCEL, 'MESSAGE_NOT_FOUND', {}],
  [LIST_EVENTS, 'VALIDATION_FAILED', { query: '?wait=21' }],
  [LIST_OPT_OUTS, 'VALIDATION_FAILED', { query: '?limit=0' }],
  [LIST_OPT_OUTS, 'INVALID_PHONE', { query: '?phone=12345' }],
  [PUT_OPT_OUT, 'VALIDATION_FAILED', { body: { scope: 'none' } }],
  [PUT_OPT_OUT, 'INVALID_PHONE', { id: '12345', body: { scope: 'all' } }],
  [PUT_OPT_OUT, 'INVALID_JSON', { body: '{' }],
  [DELETE_OPT_OUT, 'VALIDATION_FAILED', { id: '%E0%A4%A' }],
  [DELETE_OPT_OUT, 'INVALID_PHONE', { id: '12345' }],
  [DELETE_OPT_OUT, 'OPT_OUT_NOT_FOUND', { id: '12025550199' }],
];

describe('openapi.json', () => {
  /** Swagger's plugin works in the build only, so the test asks the compiled service. */
  it('is what the built service serves at /docs-json, and the examples in /docs have a date that is accepted', async () => {
    const service = await startBuilt();
    try {
      const served = await fetch(`${service.url}/docs-json`);
      expect(await served.json()).toEqual(document);
      const script = await fetch(`${service.url}/docs/swagger-ui-init.js`);
      const tomorrow = new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
      expect(await script.text()).toContain(`"scheduled_at": "${tomorrow}T`);
    } finally {
      await service.stop();
    }
  });

  it('gives each operation a name, a description, its key, and its errors with their statuses', () => {
    const names = [...operations.values()].map((operation) => operation['operationId']);
    expect(new Set(names).size).toBe(operations.size);
    for (const operation of operations.values()) {
      expect(operation).toMatchObject({
        summary: expect.stringMatching(/./),
        description: expect.stringMatching(/./),
        security: [{ api_key: [expect.stringMatching(/^[a-z]+:[a-z]+$/)] }],
        tags: [expect.stringMatching(/./)],
      });
      expect(operation['parameters'].every((parameter: Json) => parameter['description'])).toBe(true);
      for (const [code, error] of errorsOf(operation)) {
        expect(error['code']).toBe(code);
        expect(Object.keys(operation['responses'])).toContain(String(ERROR_STATUS[code]));
      }
    }
  });

  it('names the scope that each operation needs, and all scopes', () => {
    for (const { security, description } of operations.values())
      expect(description).toContain(`needs the scope \`${security[0].api_key[0]}\``);
    for (const scope of SCOPES) expect(document['info'].description).toContain(`\`${scope}\``);
  });

  it('describes every field', () => {
    const fields = Object.entries<Json>(document['components'].schemas).flatMap(([name, schema]) =>
      Object.entries<Json>(schema['properties'] ?? {}).map(([field, { description }]) => ({
        field: `${name}.${field}`,
        description,
      })),
    );
    expect(fields.filter(({ description }) => !description)).toEqual([]);
  });

  it('documents every error that the public API can answer with', () => {
    const documented = [...operations.values()].flatMap((operation) => errorsOf(operation));
    // Errors of the webhook receiver, of paths and methods that do not exist, and of malformed HTTP.
    const elsewhere: ErrorCode[] = [
      'FORBIDDEN',
      'NOT_FOUND',
      'METHOD_NOT_ALLOWED',
      'REQUEST_TIMEOUT',
      'UNKNOWN_EXPECT',
      'HEADERS_TOO_LARGE',
    ];
    const codes = new Set([...documented.map(([code]) => code), ...elsewhere]);
    expect([...codes].toSorted()).toEqual(Object.keys(ERROR_STATUS).toSorted());
    expect(document['components'].schemas.ErrorCode.enum).toEqual(Object.keys(ERROR_STATUS));
  });
});

describe('The documented API', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  it('has every route under /api, and each needs a key', async () => {
    const routes = routesOf(service, '/api');
    const names = routes.map(({ name }) => name.replaceAll(/:(\w+)/g, '{$1}'));
    expect(names.toSorted()).toEqual([...operations.keys()].toSorted());
    for (const route of routes) {
      const answer = await fetch(service.url + pathOf(route, () => 1), { method: route.method });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer');
    }
  });

  const examples = Object.entries<Json>(jsonOf(send['requestBody'])['examples']);

  it.each(examples)('accepts the example %s of a send', async (name) => {
    const fresh: Json = withFreshSchedule(document as never, new Date());
    const operation = fresh['paths']['/api/v1/messages/send'].post;
    const example = jsonOf(operation['requestBody'])['examples'][name].value;
    const answer = await service.api.post('/api/v1/messages/send', example);
    expect(answer).toMatchObject({ status: 202 });
    expect(fieldsOf(answer.body.data)).toEqual(fieldsOfSchema('SendAcknowledgement'));
  });

  it('answers with the documented fields', async () => {
    const templates = await service.api.get(
      '/api/v1/templates?messaging_account_id=acc_DemoSalesNumber00001',
    );
    const listed = jsonOf(document['paths']['/api/v1/templates'].get.responses['200'])['examples'].templates
      .value;
    expect(templates.body.data).toEqual(expect.arrayContaining(listed.data));
    const { body: list } = await service.api.get('/api/v1/messages?limit=1');
    expect(fieldsOf(list)).toEqual(fieldsOfSchema('MessageListResponse'));
    expect(fieldsOf(list.data[0])).toEqual(fieldsOfSchema('MessageSummary'));
    const record = await service.api.message(list.data[0].message_log_id);
    expect(fieldsOf(record)).toEqual(fieldsOfSchema('MessageRecord'));
    expect(fieldsOf(record['events'][0])).toEqual(fieldsOfSchema('MessageEvent'));
    const { body: events } = await service.api.get('/api/v1/events?limit=1');
    expect(fieldsOf(events)).toEqual(fieldsOfSchema('EventListResponse'));
    expect(fieldsOf((events.data as unknown as Json[])[0] as Json)).toEqual(fieldsOfSchema('Event'));
  });

  it.each(FAULTS)(
    'answers %s with %s as documented',
    async (name, code, { query = '', id = '999999', ...fault }) => {
      const [method = '', path = ''] = name.split(' ');
      const text = typeof fault.body === 'object' ? JSON.stringify(fault.body) : fault.body;
      const headers = { ...(text && { 'Content-Type': 'application/json' }), ...fault.headers };
      const answer = await service.api.request(method, path.replace(ID, id) + query, text, headers);
      const documented = new Map(errorsOf(operations.get(name) as Json)).get(code);
      expect(answer).toMatchObject({ status: ERROR_STATUS[code], body: { error: documented } });
    },
  );

  it.each([
    ['login_code', template('login_code', ['123456'])],
    ['delivery_window', template('delivery_window', ['Amal', '10:00', '12:00'])],
  ])('documents every field of the details of a mismatch: %s', async (_name, { body }) => {
    const answer = await service.api.post('/api/v1/messages/send', body);
    expect(answer).toMatchObject({ status: 422, body: { error: { code: 'TEMPLATE_PARAMS_MISMATCH' } } });
    const documented = Object.keys(document['components'].schemas.ErrorDetail.properties);
    const given = answer.body.error.details.flatMap((detail) => Object.keys(detail));
    expect(given.filter((field) => !documented.includes(field))).toEqual([]);
  });

  it('keeps, shows and lifts an opt-out, and refuses a send to it, as documented', async () => {
    const { path, api } = { path: '/api/v1/opt-outs', api: service.api };
    const example = jsonOf((operations.get(PUT_OPT_OUT) as Json)['requestBody'])['examples'].marketing.value;
    const set = await api.request('PUT', `${path}/12025550104`, JSON.stringify(example), {
      'Content-Type': 'application/json',
    });
    const answer = { status: 200, body: { success: true, data: set.body.data } };
    const { responses } = operations.get(PUT_OPT_OUT) as Json;
    const documented = jsonOf(responses['200'])['examples'].set.value;
    expect(set.body).toEqual({ ...documented, data: { ...documented.data, created_at: expect.any(String) } });
    expect(fieldsOf(set.body.data)).toEqual(fieldsOfSchema('OptOut'));
    expect((await api.get(path)).body).toMatchObject({ data: [set.body.data], next_cursor: null });
    const marketing = sending({ phone: '12025550104' }, { name: 'spring_offer', params: ['Amal', '20 %'] });
    const components = [
      { type: 'header', parameters: [{ type: 'image', image: { link: 'https://example.com/a.jpg' } }] },
    ];
    const body = marketing.body as Json;
    const refused = await api.post('/api/v1/messages/send', {
      ...body,
      data: { ...body['data'], components },
    });
    expect(refused.body.error).toEqual(new Map(errorsOf(send)).get('RECIPIENT_OPTED_OUT'));
    expect(await api.request('DELETE', `${path}/12025550104`)).toMatchObject(answer);
  });

  it('tells what would become of a send as documented', async () => {
    const { responses } = operations.get(VALIDATE) as Json;
    const { valid, faulty } = jsonOf(responses['200'])['examples'];
    const validate = async ({ body }: Fault) =>
      (await service.api.post('/api/v1/messages/validate', body)).body.data;
    const tomorrow = new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString().slice(0, 19);
    const ours = await validate(sending({ scheduled_at: tomorrow, timezone }));
    const { message, price } = valid.value.data;
    expect(ours).toMatchObject({ valid: true, message: { ...message, due_at: expect.any(String) }, price });
    const wrong = sending(
      { schedule_at: year(0), phone: '12345' },
      { name: 'order_update', params: ['Amal'] },
    );
    const { errors, message: unsent } = faulty.value.data;
    expect(await validate(wrong)).toMatchObject({
      errors,
      message: { ...unsent, due_at: expect.any(String) },
    });
    expect(fieldsOf(ours)).toEqual(fieldsOfSchema('SendValidation'));
    expect(fieldsOf(ours['message'])).toEqual(fieldsOfSchema('ValidatedMessage'));
    expect(fieldsOf(ours['message'].template)).toEqual(fieldsOfSchema('ValidatedTemplate'));
    expect(fieldsOf(ours['message'].rendered)).toEqual(fieldsOfSchema('RenderedMessage'));
    expect(fieldsOf(ours['price'])).toEqual(fieldsOfSchema('MessagePrice'));
  });

  it('answers a reused key, and the cancellation of a sent message, as documented', async () => {
    const key = { 'Idempotency-Key': 'order-A-1001' };
    const errors = new Map([...errorsOf(send), ...errorsOf(operations.get(CANCEL) as Json)]);
    const sent = await service.api.send('+12025550100', {}, key);
    const reused = await service.api.send('+12025550101', {}, key);
    expect(reused.body.error).toEqual(errors.get('IDEMPOTENCY_KEY_REUSED'));
    const id = sent.body.data['message_log_id'];
    const gone = await eventually(async () => {
      expect(await service.api.message(id)).toMatchObject({ status: 'read' });
      return service.api.post(`/api/v1/messages/${id}/cancel`);
    });
    const documented = JSON.parse(
      JSON.stringify(errors.get('MESSAGE_NOT_CANCELABLE')).replaceAll('sent', 'read'),
    );
    expect(gone.body.error).toEqual(documented);
  });
});

const fieldsOf = (value: object): string[] => Object.keys(value).toSorted();

/** All of them are required. */
function fieldsOfSchema(name: string): string[] {
  const schema = document['components'].schemas[name];
  expect(schema.required.toSorted()).toEqual(fieldsOf(schema.properties));
  return fieldsOf(schema.properties);
}

/** Starts the compiled service as a process of its own, with its own database, after building it if necessary. */
async function startBuilt(): Promise<{ url: string; stop(): Promise<void> }> {
  const [database, redisUrl] = await Promise.all([createTestDatabase(), testRedisUrl()]);
  const env = {
    ...process.env,
    ROLE: 'api',
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'error',
    ...databaseVariables(testConfig({ DATABASE_URL: database.serviceUrl })),
    REDIS_URL: redisUrl,
    PROVIDER_BASE_URL: 'http://127.0.0.1:9',
    ENCRYPTION_KEY: SECRETS.encryptionKey,
    WEBHOOK_VERIFY_TOKEN: SECRETS.webhookVerifyToken,
    DASHBOARD_SESSION_SECRET: SECRETS.dashboardSessionSecret,
  };
  const child = spawn(process.execPath, ['scripts/run-built.mjs', 'src/main'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill();
    await ended;
    await database.drop();
  };
  for await (const line of createInterface(child.stdout)) {
    const url = /^Listening on (\S+)/.exec(line)?.[1];
    if (url) return { url, stop };
  }
  await stop();
  throw new Error('The built service ended before it listened.');
}
