import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import type { ApiError } from '../../common/errors.js';
import { CompiledValidation } from '../../http/compiled-validation.js';
import { RequestValidationPipe } from '../../http/validation.pipe.js';
import { SendMessageDto } from './send-message.dto.js';

const text = { type: 'text', text: 'Amal', parameter_name: 'customer' };
const button = { type: 'button', sub_type: 'url', index: '0', parameters: [text] };

/** A body that has every field there is. */
const BODY = {
  messaging_account_id: 'acc_1',
  phone: '+12025550100',
  message_type: 'template',
  scheduled_at: '2026-12-24T18:00:00',
  timezone: 'Asia/Dubai',
  auto_retry_on_frequency_cap: true,
  data: {
    name: 'order_update',
    language_code: 'en_US',
    params: ['Amal', 'A-1001'],
    components: [
      {
        type: 'header',
        parameters: [
          { type: 'image', image: { link: 'https://example.com/a.jpg' } },
          { type: 'video', video: { id: '1' } },
          { type: 'document', document: { id: '1', filename: 'a.pdf' } },
          {
            type: 'location',
            location: { latitude: 25.2, longitude: '55.27', name: 'Shop', address: 'Road' },
          },
        ],
      },
      {
        type: 'body',
        parameters: [
          text,
          { type: 'currency', currency: { fallback_value: '$1', code: 'USD', amount_1000: 1000 } },
          { type: 'date_time', date_time: { fallback_value: 'Monday' } },
        ],
      },
      button,
      { ...button, sub_type: 'quick_reply', index: 1, parameters: [{ type: 'payload', payload: 'CONFIRM' }] },
      { ...button, sub_type: 'copy_code', parameters: [{ type: 'coupon_code', coupon_code: 'SPRING20' }] },
      { ...button, sub_type: 'flow', parameters: [{ type: 'action', action: { flow_token: 'A' } }] },
      {
        type: 'limited_time_offer',
        parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: 1 } }],
      },
      { type: 'carousel', cards: [{ card_index: 0, components: [{ type: 'body', parameters: [text] }] }] },
    ],
  },
};

const OTHERS = [
  null,
  '',
  'text',
  'x'.repeat(33_000),
  0,
  1.5,
  -1,
  true,
  [],
  [null],
  [[]],
  ['x'],
  {},
  { x: 1 },
  [{}],
];

/** Bodies with one change each: another value in one place, a field left out, or an unknown field in one object. */
function* variants(value: unknown): Generator<unknown> {
  yield* OTHERS;
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) for (const other of variants(item)) yield value.with(i, other);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  yield { ...value, unknown: 1 };
  for (const [name, field] of Object.entries(value)) {
    const { [name]: _left, ...without } = value as Record<string, unknown>;
    yield without;
    for (const other of variants(field)) yield { ...value, [name]: other };
  }
}

/** How class-validator reads the body; null for a body that it refuses. */
function slowly(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return null;
  const instance = plainToInstance(SendMessageDto, body);
  return validateSync(instance, { whitelist: true, forbidNonWhitelisted: true }).length === 0
    ? instance
    : null;
}

describe('The compiled rules of a send', () => {
  const rules = CompiledValidation.of(SendMessageDto);

  it('read a body with every field, as an instance of its class with its defaults', () => {
    expect(rules.read(BODY)).toEqual(slowly(BODY));
    expect(rules.read(BODY)).toBeInstanceOf(SendMessageDto);
    const { auto_retry_on_frequency_cap: _, ...plain } = BODY;
    expect(rules.read(plain)).toMatchObject({ auto_retry_on_frequency_cap: false });
  });

  it('accept no body that class-validator refuses, and read each that they accept as it does', () => {
    const differences: unknown[] = [];
    let [accepted, refused] = [0, 0];
    for (const body of variants(BODY)) {
      const [read, expected] = [rules.read(body), slowly(body)];
      if (expected === null) refused += 1;
      else accepted += 1;
      if (JSON.stringify(read) !== JSON.stringify(expected)) differences.push({ body, read, expected });
    }
    expect(differences).toEqual([]);
    expect(accepted).toBeGreaterThan(100);
    expect(refused).toBeGreaterThan(1_000);
  });
});

describe('The components of a send', () => {
  const pipe = new RequestValidationPipe();
  const read = (components: unknown) =>
    pipe.transform(
      { ...BODY, data: { name: 'order_update', components } },
      { type: 'body', metatype: SendMessageDto },
    );
  const faultOf = async (components: unknown) => {
    const { code, details } = (await read(components).then(
      () => ({ code: 'none', details: [] }),
      (error: unknown) => error,
    )) as ApiError;
    return [code, details.map(({ field }) => field)];
  };

  it.each([0, 7, 99, '0', '07', '99'])('may have a button of index %j', async (index) => {
    expect(await faultOf([{ ...button, index }])).toEqual(['none', []]);
  });

  it.each([-1, 100, 1.5, '100', '1.5', '-1', '', ' 1', 'x', null, undefined, true, [0]])(
    'have no button of index %j',
    async (index) => {
      const expected = ['VALIDATION_FAILED', ['data.components[0].index']];
      expect(await faultOf([{ ...button, index }])).toEqual(expected);
    },
  );

  it.each<[string, unknown, string]>([
    ['null for a component', [null], ''],
    ['a list for a component', [[]], ''],
    ['an object for the list', {}, ''],
    ['an unknown type', [{ type: 'footer' }], '[0].type'],
    ['no type', [{}], '[0].type'],
    ['text for parameters', [{ type: 'body', parameters: 'a' }], '[0].parameters'],
    ['null for a parameter', [{ type: 'body', parameters: [null] }], '[0].parameters'],
    ['a parameter without type', [{ type: 'header', parameters: [{}] }], '[0].parameters[0].type'],
    ['a text that is missing', [{ type: 'body', parameters: [{ type: 'text' }] }], '[0].parameters[0].text'],
    ['a button without sub_type', [{ type: 'button', index: 0 }], '[0].sub_type'],
    ['null for a card', [{ type: 'carousel', cards: [null] }], '[0].cards'],
    [
      'a card without components',
      [{ type: 'carousel', cards: [{ card_index: 0 }] }],
      '[0].cards[0].components',
    ],
  ])('are refused with %s', async (_case, components, place) => {
    const [code, fields] = await faultOf(components);
    expect(code).toBe('VALIDATION_FAILED');
    expect(fields).toContain(`data.components${place}`);
  });
});
