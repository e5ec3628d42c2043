import { describe, expect, it } from '@jest/globals';
import { durationText, readTimeToLive, timeToLiveChange, toTimeToLive } from './time-to-live.js';

describe('The time to live that the provider lists', () => {
  it.each([30, 900, 2_592_000, -1])('is kept as it is: %s', (listed) =>
    expect(readTimeToLive(listed)).toBe(listed),
  );

  it.each([undefined, null, 0, -2, 1.5, '600', 1e12])('is ignored when it is %s', (listed) => {
    expect(readTimeToLive(listed)).toBeNull();
  });
});

describe('A time to live of 30 days', () => {
  it.each([
    ['AUTHENTICATION', -1],
    ['UTILITY', -1],
    ['MARKETING', 2_592_000],
  ] as const)('for %s is %i at the provider', (category, value) => {
    expect(toTimeToLive(category, 30 * 86_400)).toBe(value);
  });
});

describe('An edit of a template', () => {
  const utility = (message_send_ttl_seconds: number | null) => ({
    category: 'UTILITY' as const,
    message_send_ttl_seconds,
  });
  const code = (message_send_ttl_seconds: number | null) => ({
    category: 'AUTHENTICATION' as const,
    message_send_ttl_seconds,
  });

  it('leaves out the time to live when it stays the same, or when the draft has no such field', () => {
    expect(timeToLiveChange(utility(60), utility(60))).toBeUndefined();
    expect(timeToLiveChange(utility(-1), utility(null))).toBeUndefined();
    expect(timeToLiveChange(utility(60), { category: 'UTILITY' })).toBeUndefined();
  });

  it('names the new time to live, and the length of the default when the draft goes back to it', () => {
    expect(timeToLiveChange(utility(60), utility(90))).toBe(90);
    expect(timeToLiveChange(utility(60), utility(null))).toBe(-1);
    expect(timeToLiveChange(code(60), code(null))).toBe(600);
  });
});

describe('A duration in words', () => {
  it.each([
    [1, '1 second'],
    [30, '30 seconds'],
    [90, '90 seconds'],
    [900, '15 minutes'],
    [43_200, '12 hours'],
    [86_400, '1 day'],
    [2_592_000, '30 days'],
  ])('of %i seconds is %s', (seconds, text) => expect(durationText(seconds)).toBe(text));
});
