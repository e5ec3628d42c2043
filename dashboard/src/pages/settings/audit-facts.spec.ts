import { describe, expect, it } from '@jest/globals';
import { factsOf } from './audit-facts';

describe('The details of an entry of the audit log', () => {
  it.each([
    ['an amount of money', { costs: [{ amount: '1.000000', currency: 'USD' }] }, [['costs', '$1.00']]],
    [
      'two amounts of money',
      {
        costs: [
          { amount: '1.5', currency: 'USD' },
          { amount: '2', currency: 'EUR' },
        ],
      },
      [['costs', '$1.50, €2.00']],
    ],
    ['a list of words', { changed: ['name', 'phone'] }, [['changed', 'name, phone']]],
    ['an empty list', { costs: [] }, [['costs', '–']]],
    ['a number', { left_out: 0 }, [['left out', '0']]],
    ['an id that nobody can look up', { user_id: 'a-b-c', name: 'Web shop' }, [['name', 'Web shop']]],
  ])('are shown in words: %s', (_what, details, facts) => {
    expect(factsOf(details)).toEqual(facts);
  });
});
