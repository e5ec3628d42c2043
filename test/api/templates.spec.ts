import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { DEMO } from '../../src/embedded/demo.js';
import { eventually } from '../support/eventually.js';
import '../support/matchers.js';
import { startTestService, type TestService } from '../support/service.js';
import { addTenant, template, type TestTenant } from '../support/tenants.js';

const ACCOUNT = DEMO.numbers[0].apiId;
const LIST = '/api/v1/templates?messaging_account_id=';
const FIELDS =
  'name language category status params_count body header_type header header_sample_media_url footer';
const URL = 'https://example.com/sample.jpg?a=1&b=ü';

type Item = Record<string, unknown>;
let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

async function list(query = '', api = service.api, account: string = ACCOUNT): Promise<Item[]> {
  const answer = await api.get(`${LIST}${account}${query}`);
  expect(answer.status).toBe(200);
  expect(Object.keys(answer.body)).toEqual(['success', 'data']);
  return answer.body.data as unknown as Item[];
}

describe('The list of templates', () => {
  it('has exactly the ten fields in each item', async () => {
    for (const item of await list())
      expect(Object.keys(item).toSorted()).toEqual(FIELDS.split(' ').toSorted());
  });

  it('has templates of every status, by name and then by language', async () => {
    const items = (await list()).map(({ name, language, status }) => `${name} ${language} ${status}`);
    expect(items).toEqual([
      'appointment_reminder en_US APPROVED',
      'coupon en_US APPROVED',
      'daily_offer en_US DISABLED',
      'delivery_window en_US APPROVED',
      'free_money en_US REJECTED',
      'hello_world en_US APPROVED',
      'login_code en_US APPROVED',
      'order_receipt en_US APPROVED',
      'order_update ar APPROVED',
      'order_update en_US APPROVED',
      'parcel_tracking en_US APPROVED',
      'product_video en_US APPROVED',
      'spring_offer en_US APPROVED',
      'weekly_news en_US PAUSED',
      'winter_offer en_US PENDING',
    ]);
  });

  it.each(['PENDING', 'APPROVED', 'REJECTED', 'PAUSED', 'DISABLED'])(
    'can be restricted to the status %s',
    async (status) => {
      const all = await list();
      expect(await list(`&status=${status}`)).toEqual(all.filter((item) => item['status'] === status));
    },
  );

  it.each(['approved', 'FLAGGED', 'DELETED', 'APPROVED,PAUSED', 'APPROVED%20', '*'])(
    'cannot be restricted to the status %s',
    async (status) => {
      const answer = await service.api.get(`${LIST}${ACCOUNT}&status=${status}`);
      expect(answer).toBeError(400, 'VALIDATION_FAILED', [expect.objectContaining({ field: 'status' })]);
    },
  );

  it('is the same for every number of the business account', async () => {
    expect(await list('', service.api, DEMO.numbers[1].apiId)).toEqual(await list());
  });

  it('needs the id of a known account', async () => {
    const unnamed = await service.api.get('/api/v1/templates');
    expect(unnamed).toBeError(400, 'VALIDATION_FAILED', [
      expect.objectContaining({ field: 'messaging_account_id' }),
    ]);
    for (const id of ['acc_Nobody', 'acc_demosalesnumber00001', DEMO.numbers[0].phoneNumberId, DEMO.wabaId]) {
      const unknown = await service.api.get(`${LIST}${id}`);
      expect(unknown).toBeError(404, 'ACCOUNT_NOT_FOUND', [{ field: 'messaging_account_id' }]);
    }
  });
});

const header = (format: string, others: object = {}) => ({ type: 'HEADER', format, ...others });
const sample = { example: { header_handle: [URL] } };
const BODY = { type: 'BODY', text: 'Hello {{1}} and {{2}}, {{1}}!' };
const none = { header_type: 'none', header: null, header_sample_media_url: null, footer: null };
const ITEMS: [string, ReturnType<typeof template>, Item][] = [
  ['a body', template('a_body', [BODY]), { ...none, params_count: 2, body: BODY.text }],
  ['no placeholder', template('b_no_placeholder', 'Hello!'), { ...none, params_count: 0, body: 'Hello!' }],
  [
    '12 placeholders',
    template('c_12', Array.from({ length: 12 }, (_, i) => `{{${12 - i}}} x`).join(' ')),
    { params_count: 12 },
  ],
  [
    'named placeholders',
    template('d_named', 'Hi {{b}}, {{a}}, {{b}}', { parameter_format: 'NAMED' }),
    { params_count: 2, body: 'Hi {{b}}, {{a}}, {{b}}' },
  ],
  [
    'a footer',
    template('e_footer', [BODY, { type: 'FOOTER', text: 'Bye 👋' }]),
    { ...none, footer: 'Bye 👋' },
  ],
  [
    'a text header',
    template('f_text', [header('TEXT', { text: 'For {{1}}' }), BODY]),
    { ...none, header_type: 'text', header: 'For {{1}}', params_count: 2 },
  ],
  [
    'an image header',
    template('g_image', [header('IMAGE', sample), BODY]),
    { ...none, header_type: 'image', header_sample_media_url: URL },
  ],
  [
    'a video header',
    template('h_video', [header('VIDEO', sample), BODY]),
    { ...none, header_type: 'video', header_sample_media_url: URL },
  ],
  [
    'a document header',
    template('i_document', [header('DOCUMENT', sample), BODY]),
    { ...none, header_type: 'document', header_sample_media_url: URL },
  ],
  [
    'a header without its sample',
    template('j_no_sample', [header('IMAGE'), BODY]),
    { ...none, header_type: 'image' },
  ],
  [
    'a text header with a stray sample',
    template('k_stray', [header('TEXT', { text: 'Hi', ...sample }), BODY]),
    { ...none, header_type: 'text', header: 'Hi' },
  ],
  [
    'an image header with a stray text',
    template('l_stray', [header('IMAGE', { text: 'Hi', ...sample }), BODY]),
    { ...none, header_type: 'image', header_sample_media_url: URL },
  ],
  ['a location header', template('m_location', [header('LOCATION'), BODY]), none],
  ['a header of an unknown kind', template('n_gif', [header('GIF', sample), BODY]), none],
  ['no body', template('o_nothing', []), { ...none, body: null, params_count: 0 }],
];
/** Names by code points. Locales would sort them in other ways: some put `_` before letters, some ignore it. */
const ORDER = ['a', 'a1', 'a_', 'a_b', 'a_c', 'aa', 'ab', 'ab_c', 'abc', 'b'];

const statusOf = async () => (await list()).find((item) => item['name'] === 'coupon')?.['status'];

describe('An item of the list', () => {
  let tenant: TestTenant;
  beforeAll(async () => {
    tenant = await addTenant(service, { templates: ITEMS.map(([, one]) => one) });
  });

  it.each(ITEMS)('of a template with %s', async (_case, { name, language, category, status }, fields) => {
    const items = await list('', tenant.api, tenant.accounts[0]);
    const item = items.find((one) => one['name'] === name);
    expect(item).toMatchObject({ name, language, category, status, ...fields });
    expect(Object.keys(item ?? {})).toHaveLength(10);
  });

  it('is sorted by code points, whatever the locale of the database', async () => {
    const templates = ORDER.toReversed().flatMap((name) =>
      ['en_US', 'en', 'ar', 'en_GB', 'zh_CN'].map((language) => template(name, 'Hello!', { language })),
    );
    const sorted = await addTenant(service, { templates });
    const items = await list('', sorted.api, sorted.accounts[0]);
    expect(items.map((item) => `${item['name']} ${item['language']}`)).toEqual(
      ORDER.flatMap((name) =>
        ['ar', 'en', 'en_GB', 'en_US', 'zh_CN'].map((language) => `${name} ${language}`),
      ),
    );
  });

  it('follows the provider when the template is paused, approved again or deleted', async () => {
    for (const [event, status] of [
      ['PAUSED', 'PAUSED'],
      ['FLAGGED', 'PAUSED'],
      ['REINSTATED', 'APPROVED'],
      ['DISABLED', 'DISABLED'],
    ]) {
      service.sandbox.control.setTemplateStatus('coupon', event as string);
      await eventually(async () => expect(await statusOf()).toBe(status));
    }
    service.sandbox.control.setTemplateStatus('coupon', 'DELETED');
    await eventually(async () => expect(await statusOf()).toBeUndefined());
  });
});

/** Sends a request without the headers that fetch adds, and leaves the answer's encoding alone. */
function get(headers: Record<string, string>, method = 'GET') {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>(
    (resolve, reject) => {
      const authorization = { Authorization: `Bearer ${service.api.key}` };
      const call = request(`${service.url}${LIST}${ACCOUNT}`, {
        method,
        headers: { ...authorization, ...headers },
      });
      call.on('error', reject).on('response', async (response) => {
        const chunks = await response.toArray();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
      });
      call.end();
    },
  );
}

describe('A template that is changed by hand, of which no process is told', () => {
  it('is seen within seconds, by a list and by sends that go on', async () => {
    const isPaused = async () => (await list('&status=PAUSED')).some(({ name }) => name === 'spring_offer');
    expect(await isPaused()).toBe(false);
    await service.database.run({
      name: 'pause_by_hand',
      text: `UPDATE templates SET status = 'PAUSED' WHERE name = 'spring_offer'`,
    });
    await eventually(async () => {
      expect(await isPaused()).toBe(true);
      const body = { messaging_account_id: ACCOUNT, phone: '+14155550199', message_type: 'template' };
      const answer = await service.api.post('/api/v1/messages/validate', {
        ...body,
        data: { name: 'spring_offer', language_code: 'en_US', components: [] },
      });
      expect(JSON.stringify(answer.body)).toContain('TEMPLATE_PAUSED');
    });
  });
});

describe('The answer', () => {
  it('has a strong ETag, which changes with the list and with nothing else', async () => {
    const { etag } = (await get({})).headers;
    expect(etag).toMatch(/^"[!#-~]+"$/);
    expect((await get({})).headers['etag']).toBe(etag);
    service.sandbox.control.setTemplateStatus('hello_world', 'PAUSED');
    await eventually(async () => expect((await get({})).headers['etag']).not.toBe(etag));
  });

  it.each([
    ['the ETag', (etag: string) => ({ 'If-None-Match': etag })],
    ['a list with the ETag', (etag: string) => ({ 'If-None-Match': `"x", ${etag}` })],
    ['the weak form of the ETag', (etag: string) => ({ 'If-None-Match': `W/${etag}` })],
    ['an asterisk', () => ({ 'If-None-Match': '*' })],
    [
      'the ETag, beside Cache-Control: no-cache',
      (etag: string) => ({ 'If-None-Match': etag, 'Cache-Control': 'no-cache' }),
    ],
  ])('is 304 without a body when If-None-Match has %s', async (_case, headers) => {
    const etag = String((await get({})).headers['etag']);
    const answer = await get(headers(etag));
    expect({ status: answer.status, body: answer.body.length }).toEqual({ status: 304, body: 0 });
    expect(answer.headers['etag']).toBe(etag);
    expect(answer.headers['x-request-id']).toBeDefined();
  });

  it.each(['"other"', 'other', ''])('is sent in full for If-None-Match: %s', async (value) => {
    expect((await get({ 'If-None-Match': value })).status).toBe(200);
  });

  it('is compressed when the caller accepts it', async () => {
    const plain = await get({});
    const packed = await get({ 'Accept-Encoding': 'gzip' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(packed.headers['vary']).toMatch(/Accept-Encoding/i);
    expect(gunzipSync(packed.body).toString()).toBe(plain.body.toString());
    expect(packed.body.length).toBeLessThan(plain.body.length);
    expect(plain.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('has no body for HEAD', async () => {
    const answer = await get({}, 'HEAD');
    expect({ status: answer.status, body: answer.body.length }).toEqual({ status: 200, body: 0 });
    expect(answer.headers['etag']).toBeDefined();
  });
});
