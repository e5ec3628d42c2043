import { describe, it, expect } from '@jest/globals';
import { addPlaceholder, moveSamples, renumber } from './draft-placeholders.js';
import { changeCategory, characters, emptyDraft, normalizeName } from './template-draft.js';

describe('The name', () => {
  it.each([
    ['Order Update', 'order_update'],
    ['order-update – 2', 'order_update_2'],
    ['Größe & Café!', 'groe_cafe'],
    ['already_fine_1', 'already_fine_1'],
    ['order ', 'order_'],
    ['注文', ''],
    ['a'.repeat(600), 'a'.repeat(512)],
  ])('"%s" becomes "%s"', (text, name) => expect(normalizeName(text)).toBe(name));
});

describe('The text', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    [' abc\n', 3],
    ['🎉', 1],
    ['é', 1],
    ['مرحبا', 5],
  ])('"%s" counts as %d characters', (text, count) => expect(characters(text)).toBe(count));
});

describe('Adding a placeholder', () => {
  it.each([
    ['the first to an empty text', '', 0, '{{1}}|'],
    ['the next number at the caret', 'Hi {{1}}, your  is here', 15, 'Hi {{1}}, your {{2}}| is here'],
    ['the next number before the others', 'Hi {{1}}', 0, '{{2}}|Hi {{1}}'],
    ['behind the placeholder that the caret is in', 'Hi {{1}}!', 5, 'Hi {{1}}{{2}}|!'],
    ['behind an emoji', '🎉 !', 3, '🎉 {{1}}|!'],
    ['at the end for a caret beyond it', 'Hi ', 99, 'Hi {{1}}|'],
  ])('puts %s', (_what, before, at, after) => {
    const { text, caret } = addPlaceholder(before, at);
    expect(`${text.slice(0, caret)}|${text.slice(caret)}`).toBe(after);
  });

  it('tells the key of its sample', () => expect(addPlaceholder('{{1}} and {{2}}', 0).key).toBe('3'));
});

describe('Renumbering', () => {
  it.each<[string, string, string, Record<string, string>]>([
    ['closes a gap', 'a {{1}} b {{3}}', 'a {{1}} b {{2}}', { 1: '1', 3: '2' }],
    ['starts at 1', 'a {{2}} b {{3}} c', 'a {{1}} b {{2}} c', { 2: '1', 3: '2' }],
    ['keeps the order of the numbers', 'a {{4}} b {{2}}', 'a {{2}} b {{1}}', { 4: '2', 2: '1' }],
    [
      'gives one number to both places of a repeated placeholder',
      '{{5}} a {{5}} b {{3}}',
      '{{2}} a {{2}} b {{1}}',
      { 5: '2', 3: '1' },
    ],
    ['leaves names alone', '{{name}} a {{2}}', '{{name}} a {{1}}', { 2: '1' }],
    ['leaves a text without placeholders alone', 'a {b} c', 'a {b} c', {}],
  ])('%s', (_what, before, text, renamed) => expect(renumber(before)).toEqual({ text, renamed }));

  it('takes the samples along, and drops those of deleted placeholders', () => {
    const { renamed } = renumber('Hi {{1}}, see {{3}}.');
    expect(moveSamples({ 1: 'Ana', 2: 'gone', 3: 'stays' }, renamed)).toEqual({ 1: 'Ana', 2: 'stays' });
  });
});

describe('Changing the category', () => {
  const draft = { ...emptyDraft(), name: 'hello', body: 'Hello there.', footer: 'Bye' };

  it('keeps the content between marketing and utility', () => {
    expect(changeCategory(draft, 'MARKETING')).toEqual({ ...draft, category: 'MARKETING' });
  });

  it('drops the time to live, as the other category has other bounds', () => {
    const brief = { ...draft, message_send_ttl_seconds: 60 };
    expect(changeCategory(brief, 'UTILITY')).toEqual(brief);
    expect(changeCategory(brief, 'MARKETING')).toMatchObject({ message_send_ttl_seconds: null });
  });

  it('drops the texts for authentication, where the provider writes them', () => {
    expect(changeCategory(draft, 'AUTHENTICATION')).toEqual({
      ...emptyDraft(),
      name: 'hello',
      category: 'AUTHENTICATION',
    });
  });
});
