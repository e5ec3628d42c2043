import { describe, it, expect } from '@jest/globals';
import { computeCost, type CostInput } from './cost.js';
import type { RateCardRow, RateCategory } from './rate-card.js';

const rate = (market: string, category: RateCategory, amount: string): RateCardRow => ({
  market,
  currency: 'USD',
  category,
  amount,
});

const RATES = [
  rate('Egypt', 'MARKETING', '0.1073'),
  rate('Egypt', 'AUTHENTICATION', '0.0052'),
  rate('Egypt', 'AUTHENTICATION_INTERNATIONAL', '0.065'),
  rate('Peru', 'AUTHENTICATION', '0.0377'),
  rate('Other', 'MARKETING', '0.0604'),
  rate('Other', 'UTILITY', '0.0077'),
];

function costOf(input: Partial<CostInput>): string | null {
  const base = {
    rates: RATES,
    category: 'MARKETING',
    market: 'Egypt',
    isInternational: false,
    markupPercent: '0',
  };
  return computeCost({ ...base, ...input } as CostInput)?.cost ?? null;
}

describe('computeCost', () => {
  it('answers the rate with six places and its currency', () => {
    const input = { rates: RATES, market: 'Egypt', isInternational: false, markupPercent: 0 };
    expect(computeCost({ ...input, category: 'MARKETING' })).toEqual({
      cost: '0.107300',
      currency: 'USD',
      market: 'Egypt',
      category: 'MARKETING',
    });
  });

  it.each([
    ['as at home', 'Egypt', false, '0.005200'],
    ['that is international', 'Egypt', true, '0.065000'],
    ['that is international, to a market without such a rate', 'Peru', true, '0.037700'],
  ])('prices authentication %s', (_case, market, isInternational, expected) => {
    expect(costOf({ category: 'AUTHENTICATION', market, isInternational })).toBe(expected);
  });

  it.each([
    ['a market that is not on the card', { market: 'Atlantis' }, '0.060400'],
    ['a category that the market has no rate for', { category: 'UTILITY' as const }, '0.007700'],
  ])('falls back to Other for %s', (_case, input, expected) => {
    expect(costOf(input)).toBe(expected);
  });

  it('answers null when no rate applies', () => {
    expect(costOf({ category: 'AUTHENTICATION', market: 'Atlantis' })).toBeNull();
    expect(costOf({ rates: [] })).toBeNull();
  });

  it.each([
    ['0.1', '10', '0.110000'],
    ['0.1', 12.5, '0.112500'],
    ['0.1', '-10', '0.090000'],
    ['0.1', '-100', '0.000000'],
    ['0', '50', '0.000000'],
    ['0.0000005', '0', '0.000001'],
    ['0.00000049', '0', '0.000000'],
    ['1.0000025', '0', '1.000003'],
    ['0.0079', '33.3333', '0.010533'],
    ['0.1', '200', '0.300000'],
    ['123456789.123456', '0.000001', '123456790.358024'],
  ])('adds to %s a markup of %s %% without binary rounding: %s', (amount, markupPercent, expected) => {
    expect(costOf({ rates: [rate('Egypt', 'MARKETING', amount)], markupPercent })).toBe(expected);
  });
});
