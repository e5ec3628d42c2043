import { describe, expect, it } from '@jest/globals';
import { waitAfter } from './login-patience.js';

describe('The wait', () => {
  it.each([
    [1, 0],
    [2, 0],
    [3, 30],
    [4, 60],
    [5, 120],
    [9, 1_920],
    [10, 3_600],
    [5_000, 3_600],
  ])('after %i failed sign-ins is %i s', (tries, seconds) =>
    expect(waitAfter(tries, { free: 3, first: 30, longest: 3_600 })).toBe(seconds),
  );
});
