import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DEMO } from '../../src/embedded/demo.js';
import { sendBody, text } from '../support/api.js';
import '../support/matchers.js';
import { startTestService, type TestService } from '../support/service.js';

const SEND = '/api/v1/messages/send';
const ACCOUNT = DEMO.numbers[0].apiId;
const JSON_TYPE = { 'Content-Type': 'application/json' };
const NUL = '\0';
const HALF = '\ud83d';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const post = (body: string, headers: Record<string, string> = JSON_TYPE) =>
  service.api.request('POST', SEND, body, headers);
const PHONE = '+12025550100';
const valid = (changes: object = {}) => ({ ...sendBody(PHONE), ...changes });
const withData = (changes: object) => valid({ data: { ...sendBody(PHONE).data, ...changes } });
const withComponent = (component: unknown) => withData({ components: [component] });
const withParameter = (parameter: unknown) =>
  withComponent({ type: 'body', parameters: [parameter, text('A-1001')] });

const withCurrency = (changes: object) =>
  withParameter({
    type: 'currency',
    currency: { fallback_value: '$1', code: 'USD', amount_1000: 1_000, ...changes },
  });
const withLocation = (changes: object) =>
  withParameter({ type: 'location', location: { latitude: 25.2, longitude: 55.27, ...changes } });

const flow = (action: object) => ({
  type: 'button',
  sub_type: 'flow',
  index: 0,
  parameters: [{ type: 'action', action }],
});

describe('A body', () => {
  it.each([
    ['nothing but blanks', ' \n '],
    ['cut short', JSON.stringify(valid()).slice(0, -1)],
    ['with something behind it', `${JSON.stringify(valid())}x`],
    ['in JavaScript', "{phone: '1'}"],
    ['with a comment', '{/* */}'],
    ['of NaN', 'NaN'],
    ['of a bare word', 'undefined'],
    ['with a raw NUL', `{"phone":"${NUL}"}`],
    ['of bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d])],
  ])('of invalid JSON is INVALID_JSON: %s', async (_case, body) => {
    expect(await service.api.request('POST', SEND, body, JSON_TYPE)).toBeError(400, 'INVALID_JSON', []);
  });

  it.each([
    ['null', 'null'],
    ['true', 'true'],
    ['a number', '1'],
    ['a huge number', '1e999'],
    ['a string', '"template"'],
    ['an empty string', '""'],
    ['an empty array', '[]'],
    ['an array with a valid body', JSON.stringify([valid()])],
    ['an empty object', '{}'],
    ['nested too deeply', `${'['.repeat(120_000)}${']'.repeat(120_000)}`],
    ['objects nested too deeply', `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`],
    ['an array of 100,000', `[${'1,'.repeat(99_999)}1]`],
    ['an object of 24,000', `{${Array.from({ length: 24_000 }, (_, i) => `"${i}":1`).join()}}`],
    ['a very long key', `{"${'k'.repeat(200_000)}":1}`],
    ['duplicate keys, the last of them wrong', JSON.stringify(valid()).replace(/}$/, ',"phone":1}')],
  ])('of %s is VALIDATION_FAILED', async (_case, body) => {
    expect(await post(body)).toBeError(400, 'VALIDATION_FAILED');
  });

  it('that is missing is VALIDATION_FAILED', async () => {
    expect(await service.api.request('POST', SEND)).toBeError(400, 'VALIDATION_FAILED');
    expect(await post('', {})).toBeError(400, 'VALIDATION_FAILED');
  });

  it.each([
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'json',
    '*/*',
  ])('of Content-Type %s is UNSUPPORTED_MEDIA_TYPE', async (type) => {
    const answer = await post(JSON.stringify(valid()), { 'Content-Type': type });
    expect(answer).toBeError(415, 'UNSUPPORTED_MEDIA_TYPE', []);
  });

  it.each([
    ['another charset', 415, { 'Content-Type': 'application/json; charset=latin1' }],
    ['an unknown encoding', 415, { ...JSON_TYPE, 'Content-Encoding': 'snappy' }],
    ['an encoding it does not have', 415, { ...JSON_TYPE, 'Content-Encoding': 'gzip' }],
  ])('in %s is refused', async (_case, status, headers) => {
    const answer = await post(JSON.stringify(valid()), headers as Record<string, string>);
    expect(answer).toBeRefusal();
    expect(answer.status).toBe(status);
  });
});

describe('A field of the wrong type', () => {
  const wrong: Record<string, [(value: unknown) => object, unknown[]]> = {
    messaging_account_id: [(value) => valid({ messaging_account_id: value }), [1, true, [], {}, '', null]],
    phone: [
      (value) => valid({ phone: value }),
      [12025550100, true, [PHONE], {}, '', null, 'x'.repeat(9_999)],
    ],
    message_type: [(value) => valid({ message_type: value }), ['text', 'TEMPLATE', 1, ['template'], null]],
    data: [(value) => valid({ data: value }), ['order_update', 1, [], [{}], null, undefined]],
    scheduled_at: [
      (value) => valid({ scheduled_at: value, timezone: 'UTC' }),
      [1_900_000_000, 'tomorrow', '', [], {}, '2030-02-30T10:00:00Z', '2030-01-01'],
    ],
    timezone: [(value) => valid({ timezone: value }), [4, [], {}, true, 'x'.repeat(1_000)]],
    auto_retry_on_frequency_cap: [
      (value) => valid({ auto_retry_on_frequency_cap: value }),
      ['true', 1, [], {}],
    ],
    'data.name': [(value) => withData({ name: value }), [1, [], {}, '', null, undefined, 'x'.repeat(513)]],
    'data.language_code': [(value) => withData({ language_code: value }), [1, [], {}, '', 'x'.repeat(21)]],
    'data.components': [(value) => withData({ components: value }), [1, 'body', {}, true]],
    'data.params': [
      (value) => withData({ components: undefined, params: value }),
      [1, 'Amal', {}, [1], [null]],
    ],
    'data.components[0].type': [
      (value) => withComponent({ type: value }),
      [1, 'BUTTONS', null, undefined, []],
    ],
    'data.components[0].parameters': [
      (value) => withComponent({ type: 'body', parameters: value }),
      [1, 'Amal', {}, ['Amal'], [[]], [null]],
    ],
    'data.components[0].parameters[0].type': [
      (value) => withParameter({ type: value, text: 'Amal' }),
      [1, 'html', null, undefined],
    ],
    'data.components[0].parameters[0].text': [
      (value) => withParameter({ type: 'text', text: value }),
      [1, [], {}, null, undefined, '', 'x'.repeat(40_000)],
    ],
    'data.components[0].parameters[0].currency.fallback_value': [
      (value) => withCurrency({ fallback_value: value }),
      [1, null, undefined, ''],
    ],
    'data.components[0].parameters[0].currency.code': [
      (value) => withCurrency({ code: value }),
      [1, null, undefined, '', 'usd', 'US', 'U5D', 'USDT'],
    ],
    'data.components[0].parameters[0].currency.amount_1000': [
      (value) => withCurrency({ amount_1000: value }),
      ['1000', null, undefined, 1.5],
    ],
    'data.components[0].parameters[0].date_time.fallback_value': [
      (value) => withParameter({ type: 'date_time', date_time: { fallback_value: value } }),
      [1, null, undefined, ''],
    ],
    'data.components[0].parameters[0].location.latitude': [
      (value) => withLocation({ latitude: value }),
      [null, undefined, '', 'north', 90.1, '-91', 1e3],
    ],
    'data.components[0].parameters[0].location.longitude': [
      (value) => withLocation({ longitude: value }),
      [null, undefined, '', 'east', -180.1, '181'],
    ],
  };
  const rows = Object.entries(wrong).flatMap(([field, [body, values]]) =>
    values.map((value): [string, string, object] => [
      field,
      JSON.stringify(value)?.slice(0, 20) ?? 'missing',
      body(value),
    ]),
  );

  it.each(rows)('is named: %s = %s', async (field, _value, body) => {
    const answer = await service.api.post(SEND, body);
    expect(answer).toBeError(400, 'VALIDATION_FAILED');
    const fields = answer.body.error.details.map((detail) => detail.field);
    expect(fields.every((name) => name.startsWith(field))).toBe(true);
    expect(fields.length).toBeGreaterThan(0);
  });
});

describe('An unknown field', () => {
  it.each([
    ['schedule_at', valid({ schedule_at: '2030-01-01T10:00:00Z' })],
    ['data.parameters', withData({ parameters: [] })],
    ['data.components[0].text', withComponent({ type: 'body', text: 'Amal' })],
    ['data.components[0].parameters[0].value', withParameter({ ...text('Amal'), value: 1 })],
    ['hasOwnProperty', valid({ hasOwnProperty: 1 })],
    ['toString', valid({ toString: 'x' })],
    ['length', valid({ length: 1 })],
  ])('is VALIDATION_FAILED: %s', async (field, body) => {
    const answer = await service.api.post(SEND, body);
    expect(answer).toBeError(400, 'VALIDATION_FAILED');
    expect(answer.body.error.details).toEqual([expect.objectContaining({ field })]);
  });

  it.each([
    ['__proto__', '{"__proto__":{"scheduled_at":"2030-01-01T10:00:00Z"},'],
    ['constructor', '{"constructor":{"prototype":{"scheduled_at":"2030-01-01T10:00:00Z"}},'],
    ['prototype', '{"prototype":1,'],
  ])('is VALIDATION_FAILED even when it is %s', async (field, start) => {
    const answer = await post(JSON.stringify(valid()).replace('{', start));
    expect(answer).toBeError(400, 'VALIDATION_FAILED');
    expect(answer.body.error.details).toEqual([expect.objectContaining({ field })]);
    const within = await post(JSON.stringify(valid()).replace('"data":{', `"data":${start}`));
    expect(within).toBeError(400, 'VALIDATION_FAILED');
  });
});

describe('A text that PostgreSQL cannot keep', () => {
  const places: [string, (bad: string) => object][] = [
    ['the account', (bad) => valid({ messaging_account_id: bad })],
    ['the phone', (bad) => valid({ phone: bad })],
    ['the template', (bad) => withData({ name: bad })],
    ['the language', (bad) => withData({ language_code: bad })],
    ['the time zone', (bad) => valid({ timezone: bad })],
    ['a text', (bad) => withParameter(text(bad))],
    ['params', (bad) => withData({ components: undefined, params: [bad, 'A-1001'] })],
    ['an action', (bad) => withComponent(flow({ flow_token: [{ deep: bad }] }))],
    ['a key of an action', (bad) => withComponent(flow({ [bad]: 1 }))],
    ['an unknown key', (bad) => valid({ [bad]: 1 })],
  ];
  it.each(places)('is refused in %s', async (_place, body) => {
    for (const bad of [NUL, `a${NUL}b`, HALF, `${HALF} `, '\udc00\ud800']) {
      expect(await service.api.post(SEND, body(bad))).toBeError(400, 'VALIDATION_FAILED');
    }
  });
});

const lists = ['/api/v1/templates', '/api/v1/messages'];
const BAD_QUERIES = [
  'messaging_account_id=a&messaging_account_id=b',
  'messaging_account_id[]=a',
  'messaging_account_id[x]=a',
  'messaging_account_id=',
  'messaging_account_id=%00',
  'messaging_account_id=%ED%A0%80',
  'messaging_account_id=%E0%A4%A',
  'messaging_account_id=%zz',
  `messaging_account_id=${'x'.repeat(10_000)}`,
  `messaging_account_id=${ACCOUNT}&status=APPROVED&status=PAUSED`,
  `messaging_account_id=${ACCOUNT}&status=approved`,
  `messaging_account_id=${ACCOUNT}&status=`,
  `messaging_account_id=${ACCOUNT}&unknown=1`,
  `messaging_account_id=${ACCOUNT}&__proto__=1`,
  `messaging_account_id=${ACCOUNT}&__proto__[status]=APPROVED`,
  `messaging_account_id=${ACCOUNT}&constructor=1`,
];

describe('A query', () => {
  it.each(lists.flatMap((list) => BAD_QUERIES.map((query) => `${list}?${query}`)))(
    'is refused: %s',
    async (path) => expect(await service.api.get(path)).toBeRefusal(),
  );
});

describe('A path', () => {
  const ids = ['0', '-1', '1e3', '1.0', '0x1', 'abc', '%20', '%0a', '99999999999999999999', '9'.repeat(15)];
  it.each([...ids, '9007199254740993', 'null', '..%2f1', '1%2f', '1;x', 'x'.repeat(4_000), '%F0%9F%9A%9A'])(
    'with an id that no message can have is MESSAGE_NOT_FOUND: %s',
    async (id) => {
      expect(await service.api.get(`/api/v1/messages/${id}`)).toBeError(404, 'MESSAGE_NOT_FOUND');
      expect(await service.api.post(`/api/v1/messages/${id}/cancel`)).toBeError(404, 'MESSAGE_NOT_FOUND');
    },
  );

  it.each([
    '/api/v1/messages/%E0%A4%A',
    '/api/v1/messages/%zz/cancel',
    '/api/v1/messages/%00',
    '/api/v1/messages/%',
    '/%zz',
    '/api/%ff',
  ])('that is wrongly encoded is refused: %s', async (path) => {
    expect(await service.api.get(path)).toBeRefusal();
    expect(await service.api.post(path)).toBeRefusal();
  });

  it.each([
    '/api',
    '/api/v1',
    '/api/v2/templates',
    '//api/v1/templates',
    '/api/v1/messages/1/2',
    '/favicon.ico',
  ])('that leads nowhere is NOT_FOUND: %s', async (path) => {
    expect(await service.api.request('GET', path)).toBeError(404, 'NOT_FOUND', []);
    expect(await service.api.post(path, {})).toBeError(404, 'NOT_FOUND', []);
  });
});

it('No message was accepted in the tests above', async () => {
  expect((await service.api.get('/api/v1/messages')).body.data).toEqual([]);
});
