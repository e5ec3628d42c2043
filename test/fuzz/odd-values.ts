import fc from 'fast-check';
import { bare } from './json-text.js';

/** Half a surrogate pair, which UTF-8 cannot hold, but JSON can by an escape. */
const HALF = '\ud83d';

/** Names of properties that every object has, or that change an object: dangerous for code that copies fields. */
export const PROTOTYPE_NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'];

const TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  HALF,
  `a${HALF}b`,
  '\ufeff',
  '\u202e',
  '\u{1f9d1}\u200d\u{1f680}',
  'x'.repeat(300),
  'x'.repeat(5_000),
  'x'.repeat(70_000),
  '9'.repeat(40),
  '0',
  '-1',
  '1.5',
  '2147483648',
  '9007199254740993',
  '99999999999999999999',
  '1e3',
  '0x10',
  'NaN',
  'true',
  'null',
  '[]',
  '../../../etc/passwd',
  '%00',
  '%',
  "'; --",
  '{{1}}',
  '{{99}}',
  '<script>',
  '\r\nX-Injected: 1',
  '2026-02-30T00:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  '0000-01-01',
  '9999-12-31T23:59:59.999999999Z',
  '00000000-0000-0000-0000-000000000000',
  'MTc5NTI1NTIwMDAwMC4x',
  'LTFlOTk5Lg==',
  'Europe/Berlin',
  ...PROTOTYPE_NAMES,
];

const NUMBERS = [
  0,
  -0,
  -1,
  1,
  1.5,
  100,
  101,
  32_768,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 53,
  1e21,
  1e308,
  -1e308,
  5e-324,
];
const TOKENS = ['1e999', '-1e999', '12345678901234567890123456789012345', '1.00000000000000000000000000001'];

/** Objects or arrays within each other. */
function nested(depth: number, wrap: (value: unknown) => unknown): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = wrap(value);
  return value;
}

const STRUCTURES = [
  [],
  {},
  [[]],
  [{}],
  [null],
  { length: 1 },
  { toString: 1 },
  nested(40, (value) => [value]),
  nested(31, (value) => ({ a: value })),
  nested(300, (value) => [value]),
  Array.from({ length: 1_100 }, () => 'a'),
  Object.fromEntries(Array.from({ length: 1_200 }, (_, i) => [`k${i}`, i])),
];

export const oddText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
);

/** Values that no field expects. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: oddText },
  { weight: 2, arbitrary: fc.constantFrom(null, true, false) },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(...NUMBERS) },
  { weight: 1, arbitrary: fc.constantFrom(...TOKENS).map(bare) },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(...STRUCTURES) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);
