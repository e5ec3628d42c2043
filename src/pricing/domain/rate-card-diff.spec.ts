import type { RateCardRow } from './rate-card.js';
import { compareRateCards } from './rate-card-diff.js';

const rate = (market: string, amount: string, currency = 'USD'): RateCardRow => ({
  market,
  currency,
  category: 'MARKETING',
  amount,
});

describe('the comparison of two rate cards', () => {
  it('tells what is added, removed and changed, with its percentage', () => {
    const before = [rate('Brazil', '0.06'), rate('Chile', '0.09'), rate('Egypt', '0.1')];
    const after = [rate('Brazil', '0.066'), rate('Egypt', '0.10'), rate('France', '0.12')];
    const common = { category: 'MARKETING' };
    expect(compareRateCards(before, after)).toEqual({
      added: [
        {
          ...common,
          market: 'France',
          before: null,
          after: { amount: '0.12', currency: 'USD' },
          percent: null,
        },
      ],
      removed: [
        {
          ...common,
          market: 'Chile',
          before: { amount: '0.09', currency: 'USD' },
          after: null,
          percent: null,
        },
      ],
      changed: [
        {
          ...common,
          market: 'Brazil',
          before: { amount: '0.06', currency: 'USD' },
          after: { amount: '0.066', currency: 'USD' },
          percent: '10.0',
        },
      ],
      unchanged: 1,
    });
  });

  it.each([
    ['cheaper', rate('Brazil', '0.06'), rate('Brazil', '0.04'), '-33.3'],
    ['free', rate('Brazil', '0.06'), rate('Brazil', '0'), '-100.0'],
    ['no longer free', rate('Brazil', '0'), rate('Brazil', '0.04'), null],
    ['in another currency', rate('Brazil', '0.06'), rate('Brazil', '0.06', 'EUR'), null],
  ])('recognizes a rate that becomes %s', (_what, before, after, percent) => {
    expect(compareRateCards([before], [after]).changed).toEqual([expect.objectContaining({ percent })]);
  });

  it('treats every category of a market as a rate of its own', () => {
    const utility: RateCardRow = { ...rate('Brazil', '0.06'), category: 'UTILITY' };
    expect(compareRateCards([rate('Brazil', '0.06')], [utility])).toMatchObject({
      added: [{ category: 'UTILITY' }],
      removed: [{ category: 'MARKETING' }],
      changed: [],
    });
  });

  it('finds no change between two cards with the same rates in another order', () => {
    const card = [rate('Brazil', '0.06'), rate('Chile', '0.09')];
    expect(compareRateCards(card, card.toReversed())).toEqual({
      added: [],
      removed: [],
      changed: [],
      unchanged: 2,
    });
  });
});
