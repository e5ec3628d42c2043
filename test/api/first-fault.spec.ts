import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DEMO } from '../../src/embedded/demo.js';
import { OptOutsService } from '../../src/recipients/opt-outs.service.js';
import { SEED } from '../fuzz/seed.js';
import { text } from '../support/api.js';
import { useTestService } from '../support/test-service.js';

/** Nothing is sent: this is about what is accepted. */
const service = useTestService({ ROLE: 'api' });

const RUNS = 500;
/** A recipient who wants no message. */
const OPTED_OUT = '+4915110000199';

const YEAR = new Date().getUTCFullYear() + 1;

/** The codes in the order of the checks. */
const ORDER = [
  'VALIDATION_FAILED',
  'ACCOUNT_NOT_FOUND',
  'MESSAGING_ACCOUNT_REQUIRED',
  'TEMPLATE_NOT_FOUND',
  'TEMPLATE_PAUSED',
  'TEMPLATE_HEADER_MEDIA_REQUIRED',
  'TEMPLATE_PARAMS_MISMATCH',
  'INVALID_PHONE',
  'RECIPIENT_OPTED_OUT',
  'INVALID_TIMEZONE',
  'TIMEZONE_REQUIRED',
  'SCHEDULED_AT_IN_PAST',
  'SCHEDULED_AT_TOO_FAR',
  'VALID_UNTIL_IN_PAST',
  'COST_ABOVE_MAX',
  'EXPECTATION_FAILED',
];

/** Mostly the right value; one that is undefined is left out of the body. */
const mostly = <Value>(right: Value[], ...wrong: unknown[]) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom<unknown>(...right) },
    { weight: 1, arbitrary: fc.constantFrom(...wrong) },
  );

const component = (type: string, ...parameters: unknown[]) => ({ type, parameters });
const image = (media: object) => component('header', { type: 'image', image: media });
const LINK = { link: 'https://cdn.example/a.jpg' };
const button = (index: number, ...parameters: unknown[]) => ({
  type: 'button',
  sub_type: 'url',
  index,
  parameters,
});

const data = fc.record({
  name: mostly(
    ['order_update', 'spring_offer', 'hello_world', 'delivery_window', 'parcel_tracking', 'weekly_news'],
    'winter_offer',
    'no_such_template',
    '',
    7,
    undefined,
  ),
  language_code: mostly([undefined, undefined, 'en_US'], 'ar', 'de', '', null, 7),
  params: mostly([undefined, undefined, ['Amal', 'A-1001'], ['Amal']], [], ['', 'x'], 'Amal', [7], null),
  components: mostly(
    [
      undefined,
      [component('body', text('Amal'), text('A-1001'))],
      [image(LINK), component('body', text('Amal'), text('20 %'))],
      [component('body', text('A-1001')), button(0, text('x'))],
    ],
    [],
    [image({ ...LINK, id: '1' })],
    [image({}), component('body', text(''))],
    [component('body', text('a')), component('body', text('b'))],
    [component('body', { type: 'image', image: LINK })],
    [{ type: 'carousel' }],
    [component('footer')],
    [{ ...component('body', text('a')), colour: 'red' }],
    'none',
    null,
  ),
  colour: mostly([undefined, undefined, undefined], 'red'),
});

const body = fc.record({
  messaging_account_id: mostly([DEMO.numbers[0].apiId], undefined, 'acc_x', '', 7, null),
  phone: mostly(['+4915110000100', '49 (151) 10000100'], OPTED_OUT, '12', 'none', '', 7, undefined, 'a\0b'),
  message_type: mostly(['template'], 'text', undefined),
  data: fc.oneof(
    { weight: 12, arbitrary: data },
    { weight: 1, arbitrary: fc.constantFrom(undefined, null, []) },
  ),
  scheduled_at: mostly(
    [undefined, undefined, `${YEAR}-03-01T10:00:00Z`],
    '2020-01-01T00:00:00Z',
    '2020-01-01T00:00:00',
    '2999-01-01T00:00:00',
    'tomorrow',
    7,
  ),
  timezone: mostly([undefined, 'Europe/Berlin'], 'Nowhere', '', 7, null),
  auto_retry_on_frequency_cap: mostly([undefined, true], 'yes'),
  client_reference: mostly([undefined, 'order-1'], '', 'a b', 7),
  metadata: mostly([undefined, { a: 'b' }], { a: 1 }, []),
  valid_until: mostly(
    [undefined, undefined, `${YEAR + 1}-01-01T00:00:00Z`],
    '2020-01-01T00:00:00Z',
    `${YEAR + 1}-01-01T00:00:00`,
    7,
  ),
  max_cost: mostly([undefined, undefined, 1, '0.5'], 0, '0.000001', -1, 'cheap', null),
  expect: mostly(
    [undefined, undefined, {}],
    { category: 'AUTHENTICATION' },
    { template_version: 'x' },
    { category: 'NONE' },
    7,
  ),
  schedule_at: mostly([undefined, undefined, undefined], 'soon'),
});

const anything = fc.oneof(
  { weight: 40, arbitrary: body as fc.Arbitrary<unknown> },
  { weight: 1, arbitrary: fc.json().map((json) => JSON.parse(json) as unknown) },
);

describe('Of any body', () => {
  beforeAll(async () => {
    const wish = { phone: OPTED_OUT.slice(1), scope: 'all', source: 'api', reason: null } as const;
    await service().app.get(OptOutsService, { strict: false }).set(service().tenantId, wish);
  });

  it('the first fault of a validation is the answer to the send, and without one the send is accepted', async () => {
    const { api } = service();
    const property = fc.asyncProperty(anything, async (sent) => {
      const validated = await api.post('/api/v1/messages/validate', sent);
      const answer = await api.post('/api/v1/messages/send', sent);
      expect(validated.status).toBe(200);
      const { valid, errors, price } = validated.body.data;
      const places = errors.map(({ code }: { code: string }) => ORDER.indexOf(code));
      expect(places).toEqual(places.toSorted((a: number, b: number) => a - b));
      expect(places).not.toContain(-1);
      // Of an accepted message the price is compared, of a refused one the fault.
      const told = valid ? { status: 202, cost: price.amount } : { fault: errors[0] };
      const done =
        answer.status === 202
          ? { status: 202, cost: answer.body.data['cost'] }
          : { fault: answer.body.error };
      expect(done).toEqual(told);
    });
    await fc.assert(property, { numRuns: RUNS, seed: SEED });
  });
});
