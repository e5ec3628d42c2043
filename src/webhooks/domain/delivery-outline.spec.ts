import { describe, expect, it } from '@jest/globals';
import { firstAccountOf, outlineOf } from './delivery-outline.js';
import { MAX_DEPTH } from './json-scanner.js';
import { accountsNamed } from './read-webhook.js';

const outline = (text: string) => outlineOf(Buffer.from(text));
const named = (text: string) => accountsNamed(JSON.parse(text)).filter((id) => id !== '');

const partner = (fields: object) => ({
  field: 'account_update',
  value: { waba_info: { waba_id: '3' } },
  ...fields,
});
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

describe('The outline of a delivery', () => {
  it.each<[string, unknown]>([
    ['each once', { object: 'x', entry: [{ id: '1' }, { id: '2', changes: [{}] }, { id: 1 }] }],
    ['with ids that are numbers', { entry: [{ id: 102290129340398, changes: [] }, { id: 1.5 }, { id: -1 }] }],
    [
      'after the changes',
      { entry: [{ changes: [{ field: 'messages', value: { id: '7' } }], id: '2' }], object: 'x' },
    ],
    ['of a partner’s event', { entry: [{ id: '9', changes: [partner({})] }] }],
    [
      'of a partner’s event, its field last',
      { entry: [{ id: '9', changes: [{ value: partner({}).value, field: 'account_update' }] }] },
    ],
    [
      'of an entry, whatever another field says',
      { entry: [{ id: '9', changes: [partner({ field: 'messages' })] }] },
    ],
    [
      'of both',
      { entry: [{ id: '9', changes: [partner({}), { field: 'messages' }, partner({ value: [] })] }] },
    ],
    [
      'behind texts that look like more',
      { 'a"': '{"entry":[{"id":"4"}]}\\', '\\': ['}', ']"', '\u2028'], entry: [{ id: '1' }] },
    ],
    [
      'but no id that is malformed',
      { entry: [{ id: {} }, { id: '<' }, { id: null }, null, 7, [], { id: '1'.repeat(65) }] },
    ],
    ['of no entries', { entry: { id: '1' } }],
    ['of what is no object', [{ entry: [{ id: '1' }] }]],
  ])('names the same accounts as the parsed delivery: %s', (_what, delivery) => {
    for (const text of [JSON.stringify(delivery), JSON.stringify(delivery, null, '\t')])
      expect(outline(text)).toEqual({ accounts: named(text), isBounded: true });
  });

  it('is read as far as the text is JSON', () => {
    const whole =
      '{"object":"x","entry":[{"id":"1","changes":[{"field":"messages","value":{"a":[1,"b"]}}]},{"id":"2"}]}';
    for (let end = 0; end < whole.length; end += 1) {
      const { accounts } = outline(whole.slice(0, end));
      expect(['1', '2'].slice(0, accounts.length)).toEqual(accounts);
    }
    for (const text of [
      '',
      ' ',
      '"',
      '"\\',
      '{',
      '[,',
      '{"entry":[,{"id":"1"}]}',
      '{"entry" [{"id":"1"}]}',
      ']}',
    ])
      expect(outline(text)).toEqual({ accounts: [], isBounded: true });
  });

  it('ends where the nesting is deeper, or the list far longer, than what the provider sends', () => {
    const entry = '"entry":[{"id":"1"}]';
    expect(outline(`{"deep":${nested(MAX_DEPTH)},${entry}}`)).toEqual({ accounts: ['1'], isBounded: true });
    expect(outline(`{"deep":${nested(MAX_DEPTH + 1)},${entry}}`)).toEqual({ accounts: [], isBounded: false });
    const entries = (count: number) => `{"entry":[${Array(count).fill('{"id":"1"}').join(',')}]}`;
    expect(outline(entries(1_000))).toEqual({ accounts: ['1'], isBounded: true });
    expect(outline(entries(1_001))).toEqual({ accounts: ['1'], isBounded: false });
    expect(outline(`{${'"a":1,'.repeat(50_000)}${entry}}`)).toEqual({ accounts: [], isBounded: false });
    const changes = `{"entry":[{"id":"1","changes":[${Array(50_000).fill('{}').join(',')}]}]}`;
    expect(outline(changes).isBounded).toBe(false);
  });
});

describe('The first account of a delivery', () => {
  const first = (entry: unknown) => firstAccountOf(Buffer.from(JSON.stringify({ object: 'x', entry })));

  it('is the account of its first entry', () => {
    expect(first([{ id: '1', changes: [] }, { id: '2' }])).toBe('1');
    expect(first([{ time: 1, id: 2 }])).toBe('2');
  });

  it.each([[[]], [[null, { id: '2' }]], [[{ changes: [], id: '1' }]], [[{ id: '<' }]], [{ id: '1' }]])(
    'is not found in the entries %j',
    (entry) => expect(first(entry)).toBeNull(),
  );
});
