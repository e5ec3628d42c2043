import { strings } from './strings';

const { locale } = strings.common;

const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
const number = new Intl.NumberFormat(locale);
const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
const clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const dayOfYear = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** The largest unit that fits, with its seconds. */
const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** A time to the second, in the browser's zone or the given one, which is named. */
export function formatDateTime(iso: string, zone?: string): string {
  return new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
    timeZone: zone,
  }).format(new Date(iso));
}

export function formatDate(iso: string): string {
  return date.format(new Date(iso));
}

/** The time of day, to the minute, in the browser's zone. */
export function formatClock(iso: string): string {
  return clock.format(new Date(iso));
}

/** A calendar day without a zone: 2026-01-31 is "Jan 31". */
export function formatDay(day: string): string {
  return dayOfYear.format(new Date(`${day}T00:00:00Z`));
}

/** Seconds from which on a date says more than a number of days. */
const NEAR = 7 * 86_400;

/** "5 minutes ago", "in 2 days", or the date when it is not near; `now` in milliseconds. */
export function formatRelative(iso: string, now: number): string {
  const seconds = Math.round((Date.parse(iso) - now) / 1_000);
  if (Math.abs(seconds) >= NEAR) return formatDate(iso);
  const unit = UNITS.find(([, length]) => Math.abs(seconds) >= length);
  if (!unit) return relative.format(Math.abs(seconds) < 10 ? 0 : seconds, 'second');
  return relative.format(Math.trunc(seconds / unit[1]), unit[0]);
}

export function formatNumber(value: number): string {
  return number.format(value);
}

/** A fraction in percent: 0.125 is "12.5%". */
export function formatPercent(fraction: number): string {
  return percent.format(fraction);
}

/** A decimal string of the service with up to six places, shown exactly: it never becomes a float. */
export function formatMoney(amount: string, currency: string): string {
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: 2,
    maximumFractionDigits: 6,
  }).format(amount as Intl.StringNumericLiteral);
}

export function formatBytes(bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: units[power] ?? 'byte',
    unitDisplay: 'short',
    maximumFractionDigits: 1,
  }).format(bytes / 1_000 ** power);
}
