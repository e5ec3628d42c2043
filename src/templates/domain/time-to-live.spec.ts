import { describe, expect, it } from '@jest/globals';
import { readTimeToLive } from './time-to-live.js';

describe('The time to live that the provider lists', () => {
  it.each([30, 900, 2_592_000, -1])('is taken: %s', (listed) => expect(readTimeToLive(listed)).toBe(listed));

  it.each([undefined, null, 0, -2, 1.5, '600', 1e12])('is none where it is %s', (listed) => {
    expect(readTimeToLive(listed)).toBeNull();
  });
});
