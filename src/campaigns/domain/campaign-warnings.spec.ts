import { describe, expect, it } from '@jest/globals';
import { campaignWarnings, type CampaignContext } from './campaign-warnings.js';

const warnings = (
  good: number,
  context: Partial<CampaignContext> = {},
  verdict: { us_marketing?: number } = {},
) =>
  campaignWarnings(
    { good, bad: 0, costs: [], checked_at: '2026-11-22T10:00:00.000Z', ...verdict },
    { messaging_limit: null, reached: null, category_change: null, ...context },
  );

describe('A campaign is warned', () => {
  it('of nothing when nothing is known', () => expect(warnings(100_000)).toEqual([]));

  it('of nothing when the portfolio has no limit', () => {
    expect(warnings(100_000, { messaging_limit: 'TIER_UNLIMITED' })).toEqual([]);
  });

  it('of marketing that will not be delivered', () => {
    expect(warnings(10, {}, { us_marketing: 3 })).toEqual([{ kind: 'us_marketing', recipients: 3 }]);
  });

  it('of a new category', () => {
    const category_change = { category: 'MARKETING', at: '2026-12-01T00:00:00.000Z' };
    expect(warnings(10, { category_change })).toEqual([{ kind: 'category_change', ...category_change }]);
  });

  it.each([
    ['no more than the limit', 2_000, 0, null],
    ['one more than the limit', 2_001, 0, 25],
    ['more than half as many again', 3_150, 0, 38],
    ['as many as others have left of it', 500, 1_500, null],
    ['more than others have left of it', 1_000, 1_500, 30],
  ])('of the limit only when there are too many recipients: %s', (_what, good, reached, hours) => {
    const expected = hours === null ? [] : [{ kind: 'limit', limit: 2_000, reached, hours }];
    expect(warnings(good, { messaging_limit: 'TIER_2K', reached })).toEqual(expected);
  });

  it('of the limit without counting recipients who get no marketing', () => {
    expect(warnings(2_001, { messaging_limit: 'TIER_2K' }, { us_marketing: 1 })).toEqual([
      { kind: 'us_marketing', recipients: 1 },
    ]);
  });
});
