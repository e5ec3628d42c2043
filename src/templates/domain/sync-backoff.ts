const MINUTE = 60_000;

/** Milliseconds. */
const LONGEST = 6 * 60 * MINUTE;

/**
 * How long a business account whose regular sync failed waits for its next one, in milliseconds: 1, 2, 4 … minutes, up
 * to 6 hours.
 * @param failures in a row, this one included
 */
export function syncBackoff(failures: number): number {
  return Math.min(LONGEST, MINUTE * 2 ** (failures - 1));
}
