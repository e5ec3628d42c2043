import { describe, expect, it } from '@jest/globals';
import { readTemplateContent } from '../../../../src/templates/domain/template-content';
import { guessMapping } from './guess-mapping';

const body = (text: string) => readTemplateContent([{ type: 'BODY', text }]);

describe('A guess of the mapping', () => {
  it('finds the phone by its name, and the placeholders in order', () => {
    const guess = guessMapping(body('{{1}} {{2}}'), ['Name', 'Mobile no.', 'Order'], ['Amal', '1', 'A-1']);
    expect(guess).toEqual({ phone: { column: 1 }, 'body.1': { column: 0 }, 'body.2': { column: 2 } });
  });

  it('finds the phone by its digits when no column has its name', () => {
    expect(guessMapping(body('Hi'), ['a', 'b'], ['x', '+1 202 555 0100'])).toEqual({ phone: { column: 1 } });
  });

  it('finds parts and columns with the same name', () => {
    const guess = guessMapping(body('{{city}} {{first_name}}'), ['phone', 'First name', 'CITY'], []);
    expect(guess).toMatchObject({ 'body.city': { column: 2 }, 'body.first_name': { column: 1 } });
  });

  it('leaves out what it cannot know', () => {
    expect(guessMapping(body('{{1}} {{2}}'), ['phone', 'name'], [])).toEqual({
      phone: { column: 0 },
      'body.1': { column: 1 },
    });
  });
});
