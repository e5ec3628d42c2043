const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Milliseconds after something was told in which further alerts are gathered, to be told together. */
export const GATHER = MINUTE;

/** Milliseconds for which an alert is tried to be told. */
export const GIVE_UP = 24 * 60 * MINUTE;

/** Milliseconds until the next try, after the first failure in a row and so on; then always the last. */
const WAITS = [30 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE, 15 * MINUTE];

/** Milliseconds to wait after that many failures in a row. */
export const waitAfter = (failures: number): number => WAITS[Math.min(failures, WAITS.length) - 1] ?? SECOND;
