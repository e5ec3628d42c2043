import { beforeAll, describe, expect, it } from '@jest/globals';
import { ApiError } from '../src/common/errors.js';
import { RequestValidationPipe } from '../src/http/validation.pipe.js';
import { DEMO } from '../src/embedded/demo.js';
import type { Answer, Api } from './support/api.js';
import { CampaignsApi, MAPPING, recipientsCsv } from './support/campaigns.js';
import { dashboardApi } from './support/dashboard-api.js';
import { propertiesOf, withNested } from './support/dto-properties.js';
import './support/matchers.js';
import { parametersOf, pathOf, type Route, routesOf, takenBy, type Taken } from './support/routes.js';
import { send } from './support/template-drafts.js';
import { useTestService } from './support/test-service.js';

const service = useTestService();
let operator: Api;
let routes: Route[];
let taken: Map<string, Taken[]>;
beforeAll(async () => {
  operator = await dashboardApi(service(), 'owner', { operator: true });
  routes = [...routesOf(service(), '/api/'), ...routesOf(service(), '/dashboard/api/')];
  taken = takenBy(service());
});

const JSON_TYPE = { 'Content-Type': 'application/json' };
const NUL = '%00';

const callerOf = ({ path }: Route) => (path.startsWith('/api/') ? service().api : operator);

/** Calls a route as a program does, with a body if the method has one. */
function call(route: Route, path: string, body: object = {}): Promise<Answer> {
  if (route.method === 'GET') return callerOf(route).get(path);
  return callerOf(route).request(route.method, path, JSON.stringify(body), JSON_TYPE);
}

const takes = ({ name }: Route, from: Taken['from']) =>
  taken.get(name)?.find((one) => one.from === from)?.type ?? null;

/** Whole numbers that a column of the type integer cannot hold. */
const LARGE = [2 ** 31, -(2 ** 31) - 1, 2 ** 53, 1e300];

/** Longer than the longest text of a message. */
const LONG = 'x'.repeat(100_000);

/** Fields that may be large: a file that is not stored as it is, values that are only in JSON, and times. */
const MAY_BE_LARGE = new Set([
  'LoadRateCardRequest.csv',
  'CurrencyDto.amount_1000',
  'LimitedTimeOfferDto.expiration_time_ms',
  'CardDto.card_index',
  'AuthenticationDto.code_expiration_minutes',
  'DraftDto.message_send_ttl_seconds',
  'SendMessageDto.max_cost', // kept as the most that its column holds
]);

describe('Every field of a body, query or path', () => {
  const pipe = new RequestValidationPipe();
  const takesIt = async (type: Function, from: Taken['from'], property: string, value: unknown) => {
    const refusal = await Promise.resolve()
      .then(() => pipe.transform({ [property]: value }, { type: from, metatype: type as never }))
      .then(
        () => null,
        (error: unknown) => error,
      );
    if (refusal !== null && !(refusal instanceof ApiError)) throw refusal;
    return !refusal?.details.some(({ field }) => new RegExp(`^${property}\\b`).test(String(field)));
  };

  it('is bounded', async () => {
    const unbounded = new Set<string>();
    let count = 0;
    for (const { from, type } of routes.flatMap(({ name }) => taken.get(name) ?? [])) {
      for (const dto of withNested(type)) {
        for (const property of propertiesOf(dto)) {
          count += 1;
          // Numbers of a query or path come as text.
          const isNumber = Reflect.getMetadata('design:type', dto.prototype, property) === Number;
          for (const value of [LONG, ...LARGE, ...(isNumber ? LARGE.map(String) : [])])
            if (await takesIt(dto, from, property, value)) unbounded.add(`${dto.name}.${property}`);
        }
      }
    }
    expect(count).toBeGreaterThan(100);
    expect([...unbounded].filter((name) => !MAY_BE_LARGE.has(name))).toEqual([]);
  });

  it('belongs to a class, or is one text of the path', () => {
    const untyped = routes.flatMap(({ name }) =>
      (taken.get(name) ?? []).some(
        ({ from, type }) => propertiesOf(type).length === 0 && !(from === 'param' && type === String),
      )
        ? [name]
        : [],
    );
    expect(untyped).toEqual([]);
  });
});

describe('A text that PostgreSQL cannot keep', () => {
  it('is refused in every parameter of every path', async () => {
    const all = routes.filter((route) => parametersOf(route).length > 0);
    expect(all.length).toBeGreaterThan(20);
    for (const route of all) {
      const answer = await call(
        route,
        pathOf(route, () => `a${NUL}`),
      );
      expect([route.name, answer.status, answer.body.error.code]).toEqual([
        route.name,
        400,
        'VALIDATION_FAILED',
      ]);
    }
  });

  it.each(['query', 'body'] as const)('is refused in every %s', async (from) => {
    const all = routes.filter((route) => takes(route, from));
    expect(all.length).toBeGreaterThan(10);
    for (const route of all) {
      for (const property of propertiesOf(takes(route, from)!)) {
        const path = pathOf(route, () => 1);
        const answer =
          from === 'query'
            ? await call(route, `${path}?${property}=a${NUL}`)
            : await call(route, path, { [property]: 'a\0' });
        expect([route.name, property, answer.status, answer.body.error.details]).toEqual([
          route.name,
          property,
          400,
          [{ field: property }],
        ]);
      }
    }
  });
});

describe('A number or cursor that was never given out', () => {
  const IDS = ['0', '-1', '2147483648', '9007199254740993', '9'.repeat(15), '9'.repeat(40), '1e9', '0x1'];

  it('causes no fault of the service in any path', async () => {
    for (const route of routes.filter((one) => parametersOf(one).length > 0)) {
      for (const id of IDS) {
        const { status } = await call(
          route,
          pathOf(route, () => id),
          { revision: 1 },
        );
        expect([route.name, id, status < 500]).toEqual([route.name, id, true]);
      }
    }
  });

  const base64 = (value: unknown) =>
    Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
  const CURSORS = [
    ...IDS,
    ...['999999999999999.999999999999999', '0.0', '-1.1', '8640000000000001.1'].map(base64),
    ...[
      ['a', 'b', 1],
      ['a\0', 'b', 1],
      ['\ud83d', 'b', 1],
      ['a', 'b', 2 ** 31],
      ['a', 'b', 1e300],
    ].map(base64),
    ...[null, {}, [], ['a'], [1, 2, 3], 'x'].map(base64),
  ];

  it('causes no fault of the service in any list', async () => {
    const lists = routes.filter((route) => {
      const query = takes(route, 'query');
      return query && propertiesOf(query).includes('cursor');
    });
    expect(lists.length).toBeGreaterThan(4);
    const id = await new CampaignsApi(operator).ready(recipientsCsv(1));
    for (const route of lists) {
      for (const cursor of CURSORS) {
        const { status } = await call(route, `${pathOf(route, () => id)}?cursor=${cursor}`);
        expect([route.name, cursor, status === 200 || status === 400]).toEqual([route.name, cursor, true]);
      }
    }
  });

  it('is refused as a revision', async () => {
    const campaigns = new CampaignsApi(operator);
    const id = await campaigns.ready(recipientsCsv(1));
    for (const revision of LARGE) {
      const path = `/dashboard/api/campaigns/${id}`;
      expect(await send(operator, 'PATCH', path, { revision, mapping: MAPPING })).toBeError(
        400,
        'VALIDATION_FAILED',
      );
      expect(await campaigns.act(id, 'start', { revision })).toBeError(400, 'VALIDATION_FAILED');
    }
  });
});

describe('The name of an uploaded file', () => {
  it.each([
    ['campaigns/1', 'list.csv'],
    ['media', `a.png&messaging_account_id=${DEMO.numbers[0].apiId}`],
    ['header-sample', `a.png&business_account_id=${crypto.randomUUID()}`],
  ])('is bounded like any other parameter: uploads/%s', async (path, name) => {
    const upload = (query: string) =>
      operator.request('POST', `/dashboard/api/uploads/${path}?${query}`, 'phone\n1', {
        'Content-Type': 'text/csv',
      });
    expect(await upload(`file_name=${NUL}${name}`)).toBeError(400, 'VALIDATION_FAILED', [
      { field: 'file_name' },
    ]);
    expect(await upload(`file_name=${name}&__proto__=1`)).toBeError(400, 'VALIDATION_FAILED');
    expect(await upload(`file_name=${'x'.repeat(300)}${name}`)).toBeError(400, 'VALIDATION_FAILED');
  });

  it('or of one of its columns is kept whole within its bound', async () => {
    const campaigns = new CampaignsApi(operator);
    const id = (await campaigns.create()).body.data['campaign_id'] as number;
    const column = `${'x'.repeat(99)}😀`;
    const { body } = await campaigns.upload(id, `phone,${column}\n+4915112340100,1`);
    expect(body.data['file'].columns).toEqual(['phone', column]);
  });
});
