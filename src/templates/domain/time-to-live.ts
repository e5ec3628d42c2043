import type { TemplateCategory } from '../../provider/wire.js';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The provider's value for a time to live of 30 days, in the categories whose own range ends before. */
const THIRTY_DAYS = -1;

/**
 * For how many seconds the provider tries to deliver a message: what a template may say of it by
 * `message_send_ttl_seconds`, and what counts when it says nothing. From the provider's page on time-to-live (May 2026).
 * Templates of codes made before 23 October 2024 have 30 days by default; when one was made is not listed.
 */
export const TIME_TO_LIVE = {
  AUTHENTICATION: { min: 30, max: 15 * MINUTE, byDefault: 10 * MINUTE },
  UTILITY: { min: 30, max: 12 * HOUR, byDefault: 30 * DAY },
  MARKETING: { min: 12 * HOUR, max: 30 * DAY, byDefault: 30 * DAY },
} as const satisfies Record<TemplateCategory, { min: number; max: number; byDefault: number }>;

/** Seconds. @param stored the template's `message_send_ttl_seconds`; null where it has none */
export function secondsToLive(category: TemplateCategory, stored: number | null): number {
  if (stored === null) return TIME_TO_LIVE[category].byDefault;
  return stored === THIRTY_DAYS ? 30 * DAY : stored;
}

/** What the provider lists as `message_send_ttl_seconds`; null for all that is no time. */
export function readTimeToLive(listed: unknown): number | null {
  const isTime = Number.isInteger(listed) && ((listed as number) > 0 || listed === THIRTY_DAYS);
  return isTime && (listed as number) <= 365 * DAY ? (listed as number) : null;
}
