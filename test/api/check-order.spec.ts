import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ApiKeysService } from '../../src/accounts/api-keys.service.js';
import { OptOutsService } from '../../src/recipients/opt-outs.service.js';
import { Api, sendBody, text } from '../support/api.js';
import '../support/matchers.js';
import { startTestService, type TestService } from '../support/service.js';

/** One way in which a request can be broken; several can be combined. */
interface Break {
  code: string;
  status: number;
  /** Another key than the right one, or none. */
  key?: () => string | null;
  headers?: Record<string, string>;
  fields?: object;
  data?: object;
}

const body = (...texts: string[]) => ({ type: 'body', parameters: texts.map((value) => text(value)) });
const soon = () => new Date(Date.now() + 3_600_000).toISOString();

/** The stages in the order of the checks. Within a stage, any fault may be reported. */
const STAGES: Record<string, Record<string, Break>> = {
  key: { 'no key': { status: 401, code: 'UNAUTHORIZED', key: () => null } },
  tenant: {
    'a foreign tenant': { status: 403, code: 'TENANT_FORBIDDEN', headers: { 'X-TENANT-ID': randomUUID() } },
  },
  scope: {
    'a key without the scope': { status: 403, code: 'SCOPE_MISSING', key: () => readOnly },
  },
  'body shape': {
    'an unknown field': { status: 400, code: 'VALIDATION_FAILED', fields: { schedule_at: soon() } },
    'another message type': { status: 400, code: 'VALIDATION_FAILED', fields: { message_type: 'text' } },
    'params beside a body': { status: 400, code: 'VALIDATION_FAILED', data: { params: ['1', '2'] } },
    'an empty text': { status: 400, code: 'VALIDATION_FAILED', data: { components: [body('', '2')] } },
    'two bodies': {
      status: 400,
      code: 'VALIDATION_FAILED',
      data: { components: [body('1', '2'), body('1', '2')] },
    },
    'no date': { status: 400, code: 'VALIDATION_FAILED', fields: { scheduled_at: 'tomorrow' } },
  },
  account: {
    'an unknown account': {
      status: 404,
      code: 'ACCOUNT_NOT_FOUND',
      fields: { messaging_account_id: 'acc_No' },
    },
  },
  template: {
    'an unknown template': { status: 404, code: 'TEMPLATE_NOT_FOUND', data: { name: 'nothing' } },
    'a rejected template': { status: 404, code: 'TEMPLATE_NOT_FOUND', data: { name: 'free_money' } },
  },
  pause: { 'a paused template': { status: 422, code: 'TEMPLATE_PAUSED', data: { name: 'weekly_news' } } },
  components: {
    'a parameter too many': {
      status: 422,
      code: 'TEMPLATE_PARAMS_MISMATCH',
      data: { components: [body('1', '2', '3')] },
    },
    'no header media': {
      status: 422,
      code: 'TEMPLATE_HEADER_MEDIA_REQUIRED',
      data: { name: 'order_receipt', components: [body('1', '2', '3')] },
    },
  },
  phone: { 'no phone number': { status: 422, code: 'INVALID_PHONE', fields: { phone: '123' } } },
  'opt-out': {
    'a recipient who has opted out': {
      status: 422,
      code: 'RECIPIENT_OPTED_OUT',
      fields: { phone: '+12025550166' },
    },
  },
  schedule: {
    'no time zone': { status: 422, code: 'TIMEZONE_REQUIRED', fields: { scheduled_at: soon() } },
    'a wrong time zone': {
      status: 422,
      code: 'INVALID_TIMEZONE',
      fields: { scheduled_at: soon(), timezone: 'Nowhere' },
    },
    'the past': {
      status: 422,
      code: 'SCHEDULED_AT_IN_PAST',
      fields: { scheduled_at: '2020-01-01T00:00:00Z', timezone: 'UTC' },
    },
    'the far future': {
      status: 422,
      code: 'SCHEDULED_AT_TOO_FAR',
      fields: { scheduled_at: '2999-01-01T00:00:00Z', timezone: 'UTC' },
    },
  },
};

const breaks = Object.entries(STAGES).flatMap(([stage, list], order) =>
  Object.entries(list).map(([name, one]) => ({ order, stage, name, ...one })),
);
type Placed = (typeof breaks)[number];
/** Whether both break the same field: these two cannot be combined. */
const overlap = (a: object = {}, b: object = {}) => Object.keys(a).some((field) => field in b);
const pairs = breaks.flatMap((first) =>
  breaks
    .filter((second) => second.order > first.order)
    .filter((second) => !overlap(first.fields, second.fields) && !overlap(first.data, second.data))
    .map((second) => ({ first, second })),
);

let service: TestService;
let readOnly: string;
beforeAll(async () => {
  service = await startTestService();
  const keys = service.app.get(ApiKeysService, { strict: false });
  await service.app
    .get(OptOutsService, { strict: false })
    .set(service.tenantId, { phone: '12025550166', scope: 'all', source: 'api', reason: null });
  readOnly = (await keys.create(service.tenantId, 'Reader', { scopes: ['messages:read'] })).key;
});
afterAll(() => service.stop());

function request(...broken: Placed[]) {
  const valid = sendBody('+12025550100');
  const merge = (part: 'fields' | 'data' | 'headers') =>
    Object.assign({}, ...broken.map((one) => one[part] ?? {}));
  const [first] = broken.filter(({ key }) => key).toSorted((a, b) => a.order - b.order);
  const wrong = first?.key;
  const api = wrong ? new Api(service.url, wrong()) : service.api;
  const data = { ...valid.data, ...merge('data') };
  return api.post('/api/v1/messages/send', { ...valid, ...merge('fields'), data }, merge('headers'));
}

describe('A request that is broken', () => {
  it.each(breaks)('by $name is answered by $code', async (one) => {
    expect(await request(one)).toBeError(one.status, one.code);
  });

  it.each(pairs)('by $first.name and $second.name is answered by $first.code', async ({ first, second }) => {
    expect(await request(first, second)).toBeError(first.status, first.code);
  });

  it('in one way at each stage is answered by the earliest stage', async () => {
    let rest = Object.keys(STAGES).map((stage) => breaks.find((one) => one.stage === stage) as Placed);
    for (; rest[0]; rest = rest.slice(1)) {
      const [first] = rest;
      // Combined from the last to the first, so that the earlier of two breaks of one field stays.
      expect(await request(...rest.toReversed())).toBeError(first.status, first.code);
    }
  });

  it('in its headers is answered without reading the body', async () => {
    const unread = await new Api(service.url, null).request('POST', '/api/v1/messages/send', '{', {
      'Content-Type': 'text/plain',
    });
    expect(unread).toBeError(401, 'UNAUTHORIZED');
    const foreign = await service.api.request('POST', '/api/v1/messages/send', '{', {
      'Content-Type': 'application/json',
      'X-TENANT-ID': randomUUID(),
    });
    expect(foreign).toBeError(403, 'TENANT_FORBIDDEN');
    const send = ['POST', '/api/v1/messages/send', '{', { 'Content-Type': 'text/plain' }] as const;
    expect(await new Api(service.url, readOnly).request(...send)).toBeError(403, 'SCOPE_MISSING');
  });

  it('in any of these ways is not accepted', async () => {
    expect((await service.api.get('/api/v1/messages')).body.data).toEqual([]);
  });
});
