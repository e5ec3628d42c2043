import type { Temporal } from 'temporal-polyfill';
import { ApiError, type ErrorCode } from '../../common/errors.js';
import { parseIsoDateTime, type IsoDateTime } from './iso-date-time.js';
import { stopAtFirst, type TakeFault, unlessFaulty } from '../../common/faults.js';
import { canonicalTimeZone } from './time-zone.js';

export { isIsoDateTime } from './iso-date-time.js';

/** When a message goes out. `scheduledAt` and `timezone` are null for one that was not scheduled. */
export interface Schedule {
  dueAt: Date;
  scheduledAt: Date | null;
  timezone: string | null;
}

const SECOND = 1000;
/** What a slow request or a clock slightly off may cost before "now" counts as the past. */
const PAST_TOLERANCE = 60 * SECOND;
const FURTHEST = 365 * 24 * 60 * 60 * SECOND;

const fault = (code: ErrorCode, field: string, message: string) =>
  new ApiError(code, message, [{ field, message }]);

function zoneOf(timezone: string | null | undefined): string | null {
  if (timezone === undefined || timezone === null) return null;
  const zone = canonicalTimeZone(timezone);
  if (zone) return zone;
  throw fault(
    'INVALID_TIMEZONE',
    'timezone',
    'timezone must be an IANA time zone name, as in Europe/Berlin.',
  );
}

function readScheduledAt(scheduledAt: string): IsoDateTime {
  const read = parseIsoDateTime(scheduledAt);
  if (read) return read;
  const example = 'as in 2026-03-29T10:00:00 or 2026-03-29T10:00:00+02:00, on a date that exists.';
  throw fault('VALIDATION_FAILED', 'scheduled_at', `scheduled_at must be an ISO 8601 datetime, ${example}`);
}

/** Temporal's "compatible": a skipped wall time moves forward by the gap, one that occurs twice is the first. */
function instantOf(read: IsoDateTime, zone: string): Temporal.Instant {
  return 'instant' in read
    ? read.instant
    : read.wallTime.toZonedDateTime(zone, { disambiguation: 'compatible' }).toInstant();
}

function distanceFault(milliseconds: number): ApiError | null {
  if (milliseconds < -PAST_TOLERANCE)
    return fault('SCHEDULED_AT_IN_PAST', 'scheduled_at', 'scheduled_at is more than 60 seconds in the past.');
  if (milliseconds > FURTHEST)
    return fault('SCHEDULED_AT_TOO_FAR', 'scheduled_at', 'scheduled_at is more than 365 days ahead.');
  return null;
}

/** What a send asks for. */
export interface AskedSchedule {
  scheduledAt?: string | null;
  timezone?: string | null;
}

/**
 * When a send is due. A `timezone` without `scheduled_at` is checked and has no effect. Up to 60 s in the past is
 * due now, and the record keeps the time that was asked for. Parts of a millisecond are cut off.
 *
 * @param take gets the faults: VALIDATION_FAILED, TIMEZONE_REQUIRED, INVALID_TIMEZONE, SCHEDULED_AT_IN_PAST,
 * SCHEDULED_AT_TOO_FAR. Without it, the first is thrown
 * @returns undefined when there is a fault
 */
export function resolveSchedule(asked: AskedSchedule, now: Date): Schedule;
export function resolveSchedule(asked: AskedSchedule, now: Date, take: TakeFault): Schedule | undefined;
export function resolveSchedule(
  { scheduledAt, timezone }: AskedSchedule,
  now: Date,
  take: TakeFault = stopAtFirst,
): Schedule | undefined {
  const isScheduled = scheduledAt !== undefined && scheduledAt !== null;
  const read = isScheduled ? unlessFaulty(take, () => readScheduledAt(scheduledAt)) : null;
  const zone = unlessFaulty(take, () => zoneOf(timezone));
  if (!isScheduled) return zone === undefined ? undefined : { dueAt: now, scheduledAt: null, timezone: null };
  if (zone === null)
    take(fault('TIMEZONE_REQUIRED', 'timezone', 'scheduled_at requires timezone, as in Europe/Berlin.'));
  // A time with an offset can be judged without a zone.
  if (!read || !(zone || 'instant' in read)) return undefined;
  const instant = new Date(instantOf(read, zone ?? 'UTC').epochMilliseconds);
  const distance = instant.getTime() - now.getTime();
  const wrong = distanceFault(distance);
  if (wrong) take(wrong);
  if (wrong || !zone) return undefined;
  return { dueAt: distance > 0 ? instant : now, scheduledAt: instant, timezone: zone };
}
