import { describe, expect, it } from '@jest/globals';
import type { ProviderErrorClass } from '../provider/provider-error.js';
import { decideOutcome } from './outcome.js';

const NOW = new Date('2026-11-21T12:00:00Z');
const SECOND = 1_000;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const POLICY = {
  base: 1_000,
  cap: 60_000,
  budget: { AUTHENTICATION: 10 * MINUTE, UTILITY: DAY, MARKETING: DAY },
};

interface Case {
  errorClass: ProviderErrorClass;
  attempts?: number;
  retryAfter?: number;
  random?: number;
  category?: 'MARKETING' | 'UTILITY' | 'AUTHENTICATION';
  /** Milliseconds since the message was first due; `tried`: since its first try, the same where it is not given. */
  age?: number;
  tried?: number;
}

const decide = ({
  errorClass,
  attempts = 1,
  retryAfter,
  random = 1,
  category = 'UTILITY',
  age = 0,
  tried = age,
}: Case) =>
  decideOutcome(
    { errorClass, retryAfter },
    { attempts, category, wantedAt: before(age), firstAttemptAt: before(tried) },
    NOW,
    random,
    POLICY,
  );

const before = (milliseconds: number) => new Date(NOW.getTime() - milliseconds);
const after = (milliseconds: number) => new Date(NOW.getTime() + milliseconds);

describe('The outcome of a refused attempt', () => {
  it.each<[string, Case, number]>([
    ['the first transient fault', { errorClass: 'transient' }, SECOND],
    ['the fourth, exponentially', { errorClass: 'transient', attempts: 4 }, 8 * SECOND],
    ['the twentieth, capped', { errorClass: 'transient', attempts: 20 }, MINUTE],
    ['full jitter', { errorClass: 'transient', attempts: 4, random: 0.25 }, 2 * SECOND],
    ['Retry-After where it is later', { errorClass: 'transient', retryAfter: 5 * SECOND }, 5 * SECOND],
    ['the number rate', { errorClass: 'number_rate', random: 0.5 }, SECOND],
    ['the number rate with Retry-After', { errorClass: 'number_rate', retryAfter: 3 * SECOND }, 3 * SECOND],
    ['the rate of the account', { errorClass: 'account_rate', random: 0 }, 30 * SECOND],
    ['the rate of the account, a minute at most', { errorClass: 'account_rate' }, MINUTE],
    [
      'the wait that the provider names for it',
      { errorClass: 'account_rate', retryAfter: 5 * MINUTE },
      5 * MINUTE,
    ],
    ['the pair rate, 4^0', { errorClass: 'pair_rate', attempts: 1 }, SECOND],
    ['the pair rate, 4^1', { errorClass: 'pair_rate', attempts: 2 }, 4 * SECOND],
    ['the pair rate, 4^3', { errorClass: 'pair_rate', attempts: 4 }, 64 * SECOND],
  ])('is another try: %s', (_what, given, wait) => {
    expect(decide(given)).toEqual({ kind: 'retry', dueAt: after(wait) });
  });

  it.each<[ProviderErrorClass, string]>([
    ['spam', 'number'],
    ['account', 'number'],
    ['auth', 'business_account'],
    ['category', 'template'],
    ['misrouted', 'business_account'],
    ['template_recoverable', 'template'],
  ])('is a hold for class %s, on the %s', (errorClass, scope) => {
    expect(decide({ errorClass })).toMatchObject({ kind: 'hold', scope });
  });

  it.each<ProviderErrorClass>(['template_permanent', 'recipient', 'marketing_cap'])(
    'is the end for class %s',
    (errorClass) => {
      expect(decide({ errorClass })).toEqual({ kind: 'fail' });
    },
  );

  it('is unknown when the message may have been sent, whatever its age', () => {
    expect(decide({ errorClass: 'unknown', age: 48 * 60 * MINUTE })).toEqual({ kind: 'unknown' });
  });

  it.each<[string, Case, string]>([
    [
      'a code that is ten minutes old',
      { errorClass: 'transient', category: 'AUTHENTICATION', age: 10 * MINUTE },
      'fail',
    ],
    [
      'a code that is nine minutes old',
      { errorClass: 'transient', category: 'AUTHENTICATION', age: 9 * MINUTE },
      'retry',
    ],
    [
      'a code that waited ten minutes for its first try',
      { errorClass: 'transient', category: 'AUTHENTICATION', age: 10 * MINUTE, tried: 0 },
      'fail',
    ],
    ['an update that is ten minutes old', { errorClass: 'transient', age: 10 * MINUTE }, 'retry'],
    ['an update that has been tried for a day', { errorClass: 'transient', age: DAY }, 'fail'],
    [
      'an update that waited two days for its first try',
      { errorClass: 'transient', age: 2 * DAY, tried: 0 },
      'retry',
    ],
    ['a held update that is two days old', { errorClass: 'auth', age: 48 * 60 * MINUTE }, 'hold'],
    [
      'a held code that is ten minutes old',
      { errorClass: 'auth', category: 'AUTHENTICATION', age: 11 * MINUTE },
      'fail',
    ],
  ])('respects the budget: %s', (_what, given, kind) => {
    expect(decide(given).kind).toBe(kind);
  });
});
