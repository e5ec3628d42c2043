import { Temporal } from 'temporal-polyfill';

/** One to three segments, as in `UTC`, `Etc/GMT+3`, `America/Argentina/Buenos_Aires`; never an offset or a date. */
const ZONE_NAME = /^[A-Za-z][\w+-]*(\/[A-Za-z][\w+-]*){0,2}$/;
/** Names of the tz database's file tree and of ICU that name no place; the runtime takes the latter for zones. */
const NO_ZONE = /^(SystemV\/|posix\/|right\/|Factory$)/i;
const EPOCH = Temporal.Instant.fromEpochMilliseconds(0);

/**
 * The IANA name of a zone or link in IANA's own capitals (`us/eastern` → `US/Eastern`), or null when it is none.
 * A link stays the link: `Asia/Calcutta` does not become `Asia/Kolkata`, so a record shows what the caller named.
 * `+03:00` is an offset, and `IST` or `BST` stand for several places: neither is a zone here.
 */
export function canonicalTimeZone(name: unknown): string | null {
  if (typeof name !== 'string' || name.length > 64 || !ZONE_NAME.test(name) || NO_ZONE.test(name))
    return null;
  try {
    return EPOCH.toZonedDateTimeISO(name).timeZoneId;
  } catch {
    return null;
  }
}
