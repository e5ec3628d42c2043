const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Milliseconds until the next try, after the first failure in a row and so on; then always the last. */
const WAITS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR];

/** Milliseconds of failures without a success after which an endpoint is disabled. */
export const DISABLED_AFTER = 72 * HOUR;

/** Milliseconds to wait after that many failures in a row. */
export const waitAfter = (failures: number): number => WAITS[Math.min(failures, WAITS.length) - 1] ?? SECOND;
