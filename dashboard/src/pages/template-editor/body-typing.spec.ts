import { describe, expect, it } from '@jest/globals';
import { emptyDraft } from '../../../../src/templates/domain/template-draft';
import { nextName, typeBody, variableToDelete } from './body-typing';

const draft = {
  ...emptyDraft(),
  body: 'Hi {{1}}, {{2}} and {{3}}.',
  body_samples: { 1: 'one', 2: 'two', 3: 'three' },
};

describe('typing a body', () => {
  it('closes the gap that a deleted variable leaves, and moves the samples too', () => {
    const typed = typeBody(draft, 'Hi {{1}},  and {{3}}.', 9);
    expect(typed.draft).toMatchObject({
      body: 'Hi {{1}},  and {{2}}.',
      body_samples: { 1: 'one', 2: 'three' },
    });
    expect(typed.caret).toBe(9);
  });

  it('keeps the caret after a number that has become shorter', () => {
    const text = Array.from({ length: 8 }, (_, i) => `{{${i + 1}}} x`).join(' ');
    const typed = typeBody(draft, `${text} {{10}}`, text.length + 7);
    expect(typed.draft.body).toBe(`${text} {{9}}`);
    expect(typed.caret).toBe(text.length + 6);
  });

  it('leaves named variables as they are', () => {
    const named = { ...draft, parameter_format: 'NAMED' as const };
    expect(typeBody(named, 'Hi {{name}}', 3).draft).toEqual({ ...named, body: 'Hi {{name}}' });
  });
});

describe('deleting beside a variable', () => {
  it.each([
    ['Backspace', 8, { start: 3, end: 8 }],
    ['Backspace', 5, { start: 3, end: 8 }],
    ['Backspace', 3, null],
    ['Delete', 3, { start: 3, end: 8 }],
    ['Delete', 8, null],
  ])('by %s at %i deletes all of it, or nothing of it', (key, caret, expected) => {
    const variable = variableToDelete('Hi {{1}}', caret, key);
    expect(variable && { start: variable.start, end: variable.end }).toEqual(expected);
  });
});

describe('the name of a new variable', () => {
  it('is one that the text does not have', () => {
    expect(nextName('Hi {{name}} {{variable_3}}')).toBe('variable_4');
  });
});
