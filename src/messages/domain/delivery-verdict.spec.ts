import { describe, expect, it } from '@jest/globals';
import { deliveryVerdict, type JudgedMessage } from './delivery-verdict.js';

const SENT_AT = new Date('2026-11-22T10:00:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MARGIN = 2 * MINUTE;

const after = (time: number, message: Partial<JudgedMessage> = {}) =>
  deliveryVerdict(
    {
      status: 'sent',
      conversation_category: 'AUTHENTICATION',
      sent_at: SENT_AT,
      time_to_live: null,
      ...message,
    },
    new Date(SENT_AT.getTime() + time),
  );

describe('A sent message is presumed dropped', () => {
  it.each([
    ['a code after 10 minutes', 'AUTHENTICATION', null, 10 * MINUTE],
    ['a notice after 30 days', 'UTILITY', null, 30 * DAY],
    ['an offer after 30 days', 'MARKETING', null, 30 * DAY],
    ['a code of a template with 30 seconds', 'AUTHENTICATION', 30, 30_000],
    ['a code of a template with 30 days', 'AUTHENTICATION', -1, 30 * DAY],
    ['a notice of a template with 12 hours', 'UTILITY', 43_200, 12 * HOUR],
    ['an offer of a template with a day', 'MARKETING', 86_400, DAY],
  ] as const)('%s, and no earlier', (_what, conversation_category, time_to_live, time) => {
    const message = { conversation_category, time_to_live };
    expect(after(time + MARGIN, message)).toBeNull();
    expect(after(time + MARGIN + 1, message)).toBe('presumed_dropped');
  });
});

describe('No verdict is given', () => {
  it.each(['scheduled', 'queued', 'sending', 'delivered', 'read', 'failed', 'canceled'] as const)(
    'on a message that is %s',
    (status) => expect(after(60 * DAY, { status })).toBeNull(),
  );

  it('when the time of sending is not known', () => expect(after(60 * DAY, { sent_at: null })).toBeNull());
});
