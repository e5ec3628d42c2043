import { Temporal } from 'temporal-polyfill';

/** The periods of the overview, in days. */
export const PERIODS = { '24h': 1, '7d': 7, '30d': 30, '90d': 90 } as const;
export type PeriodName = keyof typeof PERIODS;

export interface Period {
  unit: 'hour' | 'day';
  /** The begin of the period, at a full hour; the period ends now. */
  from: Date;
  /** The period before it, of the same length: its begin, and its end at the same hour. */
  previousFrom: Date;
  previousTo: Date;
  /** Every hour (`2026-01-31T14:00:00Z`) or day of the zone (`2026-01-31`), oldest first, the current one last. */
  points: string[];
}

/** The last 24 hours, or whole days of a time zone, ending today. */
export function periodOf(name: PeriodName, zone: string, now: Date): Period {
  const days = PERIODS[name];
  const here = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone);
  const endOfHour = roundedHour(here.toInstant(), 'floor').add({ hours: 1 });
  const from =
    name === '24h'
      ? endOfHour.subtract({ hours: 24 })
      : roundedHour(
          here
            .startOfDay()
            .subtract({ days: days - 1 })
            .toInstant(),
          'halfExpand',
        );
  const before = (instant: Temporal.Instant) =>
    instant.toZonedDateTimeISO(zone).subtract({ days }).toInstant();
  return {
    unit: name === '24h' ? 'hour' : 'day',
    from: toDate(from),
    previousFrom: toDate(roundedHour(before(from), 'floor')),
    previousTo: toDate(roundedHour(before(endOfHour), 'floor')),
    points: name === '24h' ? hoursFrom(from) : daysUntil(here.toPlainDate(), days),
  };
}

function hoursFrom(first: Temporal.Instant): string[] {
  return Array.from({ length: 24 }, (_, hours) => first.add({ hours }).toString());
}

function daysUntil(last: Temporal.PlainDate, count: number): string[] {
  return Array.from({ length: count }, (_, i) => last.subtract({ days: count - 1 - i }).toString());
}

/** Rounds to UTC's hours, for zones that are half an hour off: an hour belongs to the day of its middle. */
function roundedHour(instant: Temporal.Instant, roundingMode: 'floor' | 'halfExpand'): Temporal.Instant {
  return instant.round({ smallestUnit: 'hour', roundingMode });
}

function toDate(instant: Temporal.Instant): Date {
  return new Date(instant.epochMilliseconds);
}
