import { describe, expect, it } from '@jest/globals';
import { readAccountEvent } from './account-event.js';

const NOW = new Date('2026-11-22T12:00:00Z');
const SOON = NOW.getTime() / 1_000 + 3_600;
const LATER = SOON + 3_600;

const read = (value: Record<string, unknown>) => readAccountEvent(value, NOW);

describe('A restriction', () => {
  const messaging = 'RESTRICTED_BIZ_INITIATED_MESSAGING';
  const harmless = 'RESTRICTED_ADD_PHONE_NUMBER_ACTION';

  it.each<[string, object, Date | null]>([
    [
      'by the latest end',
      {
        restriction_info: [
          { restriction_type: messaging, expiration: SOON },
          { restriction_type: messaging, expiration: LATER },
        ],
      },
      new Date(LATER * 1_000),
    ],
    [
      'by itself, without a list',
      { restriction_info: { restriction_type: messaging, expiration: SOON } },
      new Date(SOON * 1_000),
    ],
    [
      'by its older name, with an ISO time',
      { restrictions: { restriction_type: messaging, expiration: '2026-11-23T00:00:00.000Z' } },
      new Date('2026-11-23'),
    ],
    ['without an end', { restriction_info: [{ restriction_type: messaging }] }, null],
    [
      'of a kind that is not known',
      { restriction_info: [{ restriction_type: 'RESTRICTED_EVERYTHING', expiration: SOON }] },
      new Date(SOON * 1_000),
    ],
    [
      'of messages, not by the end of another',
      {
        restriction_info: [
          { restriction_type: messaging, expiration: SOON },
          { restriction_type: harmless, expiration: LATER },
        ],
      },
      new Date(SOON * 1_000),
    ],
  ])('holds the account %s', (_what, value, until) => {
    expect(read({ event: 'ACCOUNT_RESTRICTION', ...value }).hold).toMatchObject({
      cause: 'restricted',
      until,
    });
  });

  it('holds nothing when it is over, or does not stop template messages', () => {
    const over = [{ restriction_type: messaging, expiration: SOON - 7_200 }];
    expect(read({ event: 'ACCOUNT_RESTRICTION', restriction_info: over }).hold).toBeNull();
    const beside = [{ restriction_type: harmless, expiration: LATER }];
    expect(read({ event: 'ACCOUNT_RESTRICTION', restriction_info: beside })).toMatchObject({
      hold: null,
      alert: { severity: 'warning', endsAt: new Date(LATER * 1_000) },
    });
  });

  it('tells what to do about it', () => {
    const restriction_info = [{ restriction_type: messaging, remediation: 'Review your messages.' }];
    expect(read({ event: 'ACCOUNT_RESTRICTION', restriction_info }).alert?.text).toContain(
      'Review your messages.',
    );
  });
});

it.each(['constructor', 'toString', 'valueOf', '__proto__', 'hasOwnProperty'])(
  'The event %s, which is a property of every object, is read as an unknown event',
  (event) => {
    expect(read({ event })).toMatchObject({ hold: null, isKnown: false, alert: { severity: 'info' } });
  },
);

it.each([{}, { event: 7 }, { event: 'DISABLED\u0000' }, { event: 'ACCOUNT_VIOLATION', violation_info: 7 }])(
  'A malformed event raises an alert and holds nothing: %j',
  (value) => {
    expect(read(value)).toMatchObject({
      hold: null,
      alert: { severity: expect.stringMatching(/info|warning/) },
    });
  },
);
