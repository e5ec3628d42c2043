import { describe, expect, it } from '@jest/globals';
import { peopleOf, readMessagingLimit } from './messaging-limit.js';

describe('readMessagingLimit', () => {
  it.each([
    ['TIER_250', 'TIER_250'],
    ['TIER_2K', 'TIER_2K'],
    ['TIER_UNLIMITED', 'TIER_UNLIMITED'],
    [250, 'TIER_250'],
    [2_000, 'TIER_2K'],
    [100_000, 'TIER_100K'],
    ['10000', 'TIER_10K'],
    [-1, 'TIER_UNLIMITED'],
  ])('reads %p as %s', (value, tier) => {
    expect(readMessagingLimit(value)).toBe(tier);
  });

  it.each(['TIER_NOT_SET', '', 'many', 0, -2, 2.5, null, undefined, {}, [250]])(
    'reads no limit from %p',
    (value) => {
      expect(readMessagingLimit(value)).toBeNull();
    },
  );
});

describe('A tier', () => {
  it.each([
    ['TIER_250', 250],
    ['TIER_2K', 2_000],
    ['TIER_1M', 1_000_000],
    ['TIER_UNLIMITED', null],
    ['TIER_NEW', null],
  ])('%s allows %p people', (tier, people) => expect(peopleOf(tier)).toBe(people));
});
