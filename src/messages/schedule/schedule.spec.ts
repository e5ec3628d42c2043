import { describe, it, expect } from '@jest/globals';
import { ApiError } from '../../common/errors.js';
import { isIsoDateTime, resolveSchedule } from './schedule.js';

const NOW = new Date('2026-01-01T12:00:00.000Z');

function codeOf(scheduledAt: string | undefined, timezone?: string, now = NOW) {
  try {
    resolveSchedule({ scheduledAt, timezone }, now);
    return 'accepted';
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return `${error.code} ${String(error.details[0]?.field)}`;
  }
}

const instantOf = (scheduledAt: string, timezone: string, now = NOW) =>
  resolveSchedule({ scheduledAt, timezone }, now).dueAt.toISOString();

describe('a wall time', () => {
  it.each([
    ['in winter', '2026-02-01T10:00', 'Europe/Berlin', '2026-02-01T09:00:00.000Z'],
    ['in summer', '2026-07-01T10:00', 'Europe/Berlin', '2026-07-01T08:00:00.000Z'],
    ['that the clock skips', '2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    ['at the first skipped moment', '2026-03-29T02:00:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
    ['right after the gap', '2026-03-29T03:00:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
    ['that occurs twice', '2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
    ['that the clock skips', '2026-03-08T02:30', 'America/New_York', '2026-03-08T07:30:00.000Z'],
    ['that occurs twice', '2026-11-01T01:30', 'America/New_York', '2026-11-01T05:30:00.000Z'],
    ['that the clock skips by a link name', '2026-03-08T02:30', 'US/Eastern', '2026-03-08T07:30:00.000Z'],
    ['in a half-hour gap', '2026-10-04T02:15', 'Australia/Lord_Howe', '2026-10-03T15:45:00.000Z'],
    ['twice within half an hour', '2026-04-05T01:45', 'Australia/Lord_Howe', '2026-04-04T14:45:00.000Z'],
    ['in a gap of the southern spring', '2026-10-04T02:30', 'Australia/Sydney', '2026-10-03T16:30:00.000Z'],
    ['in a gap at midnight', '2026-09-06T00:30', 'America/Santiago', '2026-09-06T04:30:00.000Z'],
    ['twice before midnight', '2026-04-04T23:30', 'America/Santiago', '2026-04-05T02:30:00.000Z'],
    ['twice as Ramadan begins', '2026-02-15T02:30', 'Africa/Casablanca', '2026-02-15T01:30:00.000Z'],
    ['skipped as Ramadan ends', '2026-03-22T02:30', 'Africa/Casablanca', '2026-03-22T02:30:00.000Z'],
    ['in a gap of a 45-minute zone', '2026-09-27T03:00', 'Pacific/Chatham', '2026-09-26T14:15:00.000Z'],
    ['twice in a 45-minute zone', '2026-04-05T03:15', 'Pacific/Chatham', '2026-04-04T13:30:00.000Z'],
    ['of +05:45', '2026-06-01T10:00', 'Asia/Kathmandu', '2026-06-01T04:15:00.000Z'],
    ['of +05:30', '2026-06-01T10:00', 'Asia/Kolkata', '2026-06-01T04:30:00.000Z'],
    ['of +05:30 by a link name', '2026-06-01T10:00', 'Asia/Calcutta', '2026-06-01T04:30:00.000Z'],
    ['of +14', '2026-06-01T10:00', 'Pacific/Kiritimati', '2026-05-31T20:00:00.000Z'],
    ['without summer time', '2026-07-01T10:00', 'Asia/Dubai', '2026-07-01T06:00:00.000Z'],
    ['of Etc, whose sign is reversed', '2026-07-01T10:00', 'Etc/GMT+3', '2026-07-01T13:00:00.000Z'],
    ['in UTC', '2026-07-01T10:00', 'UTC', '2026-07-01T10:00:00.000Z'],
  ])('%s: %s %s', (_case, scheduledAt, timezone, expected) => {
    expect(instantOf(scheduledAt, timezone)).toBe(expected);
  });

  it('on a leap day stays on that day', () => {
    const now = new Date('2028-01-15T00:00:00Z');
    expect(instantOf('2028-02-29T10:00', 'Europe/Berlin', now)).toBe('2028-02-29T09:00:00.000Z');
  });
});

describe('a time with an offset', () => {
  it.each([
    ['2026-07-01T10:00:00Z', 'Europe/Berlin', '2026-07-01T10:00:00.000Z'],
    ['2026-07-01T10:00:00+05:00', 'Europe/Berlin', '2026-07-01T05:00:00.000Z'],
    ['2026-07-01T10:00-03:30', 'Asia/Dubai', '2026-07-01T13:30:00.000Z'],
    ['2026-07-01T10:00+0530', 'Asia/Dubai', '2026-07-01T04:30:00.000Z'],
    ['2026-07-01T10:00+02', 'Asia/Dubai', '2026-07-01T08:00:00.000Z'],
    ['2026-03-29T02:30:00+01:00', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  ])('is that instant, whatever the zone: %s %s', (scheduledAt, timezone, expected) => {
    expect(instantOf(scheduledAt, timezone)).toBe(expected);
  });
});

describe('isIsoDateTime', () => {
  it.each([
    '2026-07-01T10:00',
    '2026-07-01T10:00:30',
    '2026-07-01T10:00:30.5',
    '2026-07-01T10:00:30.123456789Z',
    '2026-07-01T10:00:30,5+02:00',
    '20260701T100030Z',
    '20260701T1000',
    '2028-02-29T00:00',
    '2026-12-31T23:59:59.999-12:00',
  ])('takes %s', (value) => {
    expect(isIsoDateTime(value)).toBe(true);
  });

  it.each([
    ['a date alone', '2026-07-01'],
    ['a time alone', '10:00:00'],
    ['a day that February has not', '2026-02-30T10:00'],
    ['a leap day of another year', '2026-02-29T10:00'],
    ['month 13', '2026-13-01T10:00:00Z'],
    ['day 0', '2026-07-00T10:00:00Z'],
    ['24:00', '2026-07-01T24:00:00Z'],
    ['a leap second', '2026-12-31T23:59:60Z'],
    ['minute 60', '2026-07-01T10:60'],
    ['an offset of 24 hours', '2026-07-01T10:00+24:00'],
    ['a blank for T', '2026-07-01 10:00:00'],
    ['blanks around', ' 2026-07-01T10:00:00 '],
    ['a line break behind', '2026-07-01T10:00:00\n'],
    ['a zone suffix', '2026-07-01T10:00:00+02:00[Europe/Berlin]'],
    ['two digits for the year', '26-07-01T10:00'],
    ['no leading zeros', '2026-7-1T10:00'],
    ['both forms at once', '20260701T10:00'],
    ['a week date', '2026-W27-3T10:00'],
    ['Unix seconds', '1782900000'],
    ['an American date', '07/01/2026 10:00'],
    ['nothing', ''],
    ['no text', 20260701 as unknown as string],
    ['a megabyte', '2'.repeat(1 << 20)],
  ])('refuses %s', (_case, value) => {
    expect(isIsoDateTime(value)).toBe(false);
  });
});

describe('the time zone', () => {
  it.each([
    ['europe/berlin', 'Europe/Berlin'],
    ['US/EASTERN', 'US/Eastern'],
    ['Asia/Calcutta', 'Asia/Calcutta'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['america/port-au-prince', 'America/Port-au-Prince'],
    ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
    ['Europe/Kyiv', 'Europe/Kyiv'],
    ['utc', 'UTC'],
    ['gb-eire', 'GB-Eire'],
  ])('%s is kept as %s', (timezone, kept) => {
    const schedule = resolveSchedule({ scheduledAt: '2026-07-01T10:00:00Z', timezone }, NOW);
    expect(schedule.timezone).toBe(kept);
  });

  it.each([
    '+03:00',
    '-0500',
    'GMT+3',
    'UTC+2',
    'Z',
    'IST',
    'BST',
    'PST',
    'Europe/Nowhere',
    'Berlin',
    'SystemV/EST5',
    'Factory',
    'Etc/Unknown',
    'Europe/Berlin ',
    'Europe/Berlin\n',
    '2026-01-01T00:00[Europe/Berlin]',
    '../etc/passwd',
    '',
    'A'.repeat(100),
  ])('is refused as %p', (timezone) => {
    expect(codeOf('2026-07-01T10:00:00', timezone)).toBe('INVALID_TIMEZONE timezone');
    expect(codeOf(undefined, timezone)).toBe('INVALID_TIMEZONE timezone');
  });

  it('is required with a time, even with one that has an offset', () => {
    expect(codeOf('2026-07-01T10:00:00')).toBe('TIMEZONE_REQUIRED timezone');
    expect(codeOf('2026-07-01T10:00:00Z')).toBe('TIMEZONE_REQUIRED timezone');
  });
});

describe('the distance from now', () => {
  it.each([
    ['2026-01-01T12:00:00.001Z', '2026-01-01T12:00:00.001Z'],
    ['2026-01-01T12:00:00.000Z', '2026-01-01T12:00:00.000Z'],
    ['2026-01-01T11:59:30.000Z', '2026-01-01T12:00:00.000Z'],
    ['2026-01-01T11:59:00.000Z', '2026-01-01T12:00:00.000Z'],
    ['2027-01-01T12:00:00.000Z', '2027-01-01T12:00:00.000Z'],
  ])('of %s is allowed: due at %s', (scheduledAt, dueAt) => {
    const schedule = resolveSchedule({ scheduledAt, timezone: 'Asia/Dubai' }, NOW);
    expect(schedule).toEqual({
      dueAt: new Date(dueAt),
      scheduledAt: new Date(scheduledAt),
      timezone: 'Asia/Dubai',
    });
  });

  it.each([
    ['2026-01-01T11:58:59.999Z', 'SCHEDULED_AT_IN_PAST'],
    ['0000-01-01T00:00:00', 'SCHEDULED_AT_IN_PAST'],
    ['2027-01-01T12:00:00.001Z', 'SCHEDULED_AT_TOO_FAR'],
    ['9999-12-31T23:59:59', 'SCHEDULED_AT_TOO_FAR'],
  ])('of %s is %s', (scheduledAt, code) => {
    expect(codeOf(scheduledAt, 'Europe/Berlin')).toBe(`${code} scheduled_at`);
  });

  it('counts 365 days of 24 hours across a leap day', () => {
    const now = new Date('2028-01-01T00:00:00Z');
    expect(codeOf('2028-12-31T00:00:00Z', 'UTC', now)).toBe('accepted');
    expect(codeOf('2029-01-01T00:00:00Z', 'UTC', now)).toBe('SCHEDULED_AT_TOO_FAR scheduled_at');
  });
});

describe('resolveSchedule', () => {
  it('is due now when no time is given, and a valid zone alone has no effect', () => {
    const due = { dueAt: NOW, scheduledAt: null, timezone: null };
    expect(resolveSchedule({}, NOW)).toEqual(due);
    expect(resolveSchedule({ scheduledAt: null, timezone: null }, NOW)).toEqual(due);
    expect(resolveSchedule({ timezone: 'Asia/Dubai' }, NOW)).toEqual(due);
  });

  it('reports a malformed time before anything else', () => {
    expect(codeOf('2026-02-30T10:00')).toBe('VALIDATION_FAILED scheduled_at');
    expect(codeOf('', 'Mars/Olympus')).toBe('VALIDATION_FAILED scheduled_at');
  });
});
