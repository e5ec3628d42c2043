import type { TemplateCategory } from '../../provider/wire.js';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The provider's value for 30 days, in categories whose range of seconds ends before that. */
const THIRTY_DAYS = -1;

/**
 * For how many seconds the provider tries to deliver a message: the range of `message_send_ttl_seconds`, and the
 * default. From the provider's page on time-to-live (May 2026). Authentication templates made before 23 October 2024
 * have 30 days by default, but the provider's list does not say when one was made.
 */
export const TIME_TO_LIVE = {
  AUTHENTICATION: { min: 30, max: 15 * MINUTE, byDefault: 10 * MINUTE },
  UTILITY: { min: 30, max: 12 * HOUR, byDefault: 30 * DAY },
  MARKETING: { min: 12 * HOUR, max: 30 * DAY, byDefault: 30 * DAY },
} as const satisfies Record<TemplateCategory, { min: number; max: number; byDefault: number }>;

/**
 * Seconds. A category that is not known here has 30 days.
 * @param stored the template's `message_send_ttl_seconds`; null where it has none
 */
export function secondsToLive(category: string, stored: number | null): number {
  const known: Record<string, { byDefault: number }> = TIME_TO_LIVE;
  if (stored === null) return known[category]?.byDefault ?? 30 * DAY;
  return stored === THIRTY_DAYS ? 30 * DAY : stored;
}

/** Reads `message_send_ttl_seconds` of the provider's list; null for anything that is no time. */
export function readTimeToLive(listed: unknown): number | null {
  const isTime = Number.isInteger(listed) && ((listed as number) > 0 || listed === THIRTY_DAYS);
  return isTime && (listed as number) <= 365 * DAY ? (listed as number) : null;
}

/** Whether the provider accepts the value as `message_send_ttl_seconds` in the category. */
export function isTimeToLive(category: TemplateCategory, value: number): boolean {
  const { min, max } = TIME_TO_LIVE[category];
  if (value === THIRTY_DAYS) return max < 30 * DAY;
  return Number.isInteger(value) && value >= min && value <= max;
}

/** Seconds as the provider's value: 30 days may have a special one. */
export function toTimeToLive(category: TemplateCategory, seconds: number): number {
  return seconds === 30 * DAY && TIME_TO_LIVE[category].max < seconds ? THIRTY_DAYS : seconds;
}

/** The fields of a template or draft that decide its time to live; null: the provider's default. */
interface Lasting<Category = string> {
  category: Category;
  message_send_ttl_seconds?: number | null;
}

/** The time to live, in seconds. */
export function lifeOf({ category, message_send_ttl_seconds: stored = null }: Lasting): number {
  return secondsToLive(category, stored);
}

/**
 * The time to live that an edit has to send; undefined when it stays the same. The default has to be sent as well, as
 * the provider keeps what an edit leaves out.
 */
export function timeToLiveChange(template: Lasting, draft: Lasting<TemplateCategory>): number | undefined {
  if (draft.message_send_ttl_seconds === undefined || lifeOf(template) === lifeOf(draft)) return undefined;
  return draft.message_send_ttl_seconds ?? toTimeToLive(draft.category, lifeOf(draft));
}

/** The duration in the largest unit that leaves no fraction, such as `12 hours`. */
export function durationText(seconds: number): string {
  const units: [name: string, length: number][] = [
    ['day', DAY],
    ['hour', HOUR],
    ['minute', MINUTE],
    ['second', 1],
  ];
  const [name, length] = units.find(([, unit]) => seconds % unit === 0)!;
  const count = seconds / length;
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}
