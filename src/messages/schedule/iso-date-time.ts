import { Temporal } from 'temporal-polyfill';

/** Either an instant (`Z` or an offset was given) or a wall time that a time zone turns into one. */
export type IsoDateTime = { instant: Temporal.Instant } | { wallTime: Temporal.PlainDateTime };

const TIME = String.raw`([01]\d|2[0-3])`;
const FRACTION = String.raw`([.,]\d{1,9})?`;
const OFFSET = String.raw`(?<offset>Z|[+-]${TIME}(:?[0-5]\d)?)?`;
/** `2026-03-29T10:00:00.5+02:00`, and ISO 8601's basic form `20260329T100000Z`; seconds and fractions optional. */
const EXTENDED = new RegExp(String.raw`^\d{4}-\d\d-\d\dT${TIME}:[0-5]\d(:[0-5]\d${FRACTION})?${OFFSET}$`);
const BASIC = new RegExp(String.raw`^\d{8}T${TIME}[0-5]\d([0-5]\d${FRACTION})?${OFFSET}$`);

/**
 * Reads an ISO 8601 datetime; null when the text is none: a date without a time, 24:00, a leap second, or a day
 * that the calendar does not have. The patterns are narrower than Temporal, which also takes `[Zone]` suffixes,
 * blanks for `T` and a second 60, and leave to it what only a calendar knows.
 */
export function parseIsoDateTime(value: unknown): IsoDateTime | null {
  const match = typeof value === 'string' ? (EXTENDED.exec(value) ?? BASIC.exec(value)) : null;
  if (!match) return null;
  try {
    const offset = match.groups?.offset;
    return offset
      ? { instant: Temporal.Instant.from(match[0]) }
      : { wallTime: Temporal.PlainDateTime.from(match[0]) };
  } catch {
    return null;
  }
}

/** Whether the text is an ISO 8601 datetime with a date that exists; the offset may be missing. */
export function isIsoDateTime(value: string): boolean {
  return parseIsoDateTime(value) !== null;
}

/** The instant of an ISO 8601 datetime, which is UTC without an offset. The text must be one. */
export function utcOf(value: string): Date {
  const read = parseIsoDateTime(value);
  if (!read) throw new RangeError(`Not an ISO 8601 datetime: ${value}`);
  const instant = 'instant' in read ? read.instant : read.wallTime.toZonedDateTime('UTC').toInstant();
  return new Date(instant.epochMilliseconds);
}
