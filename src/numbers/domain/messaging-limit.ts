/**
 * A portfolio's messaging limit as the provider gives it: `TIER_2K` with a number, 2000 or -1 (none) with an account.
 * @returns the tier; null when none is given; `TIER_NOT_SET` gives none
 */
export function readMessagingLimit(value: unknown): string | null {
  if (typeof value === 'string' && /^TIER_(\d+[KM]?|UNLIMITED)$/.test(value)) return value;
  const people = typeof value === 'number' || typeof value === 'string' ? Number(value) : NaN;
  if (value === '' || !Number.isSafeInteger(people)) return null;
  if (people === -1) return 'TIER_UNLIMITED';
  if (people <= 0) return null;
  return people % 1_000 === 0 ? `TIER_${people / 1_000}K` : `TIER_${people}`;
}

/** The part of the limit from which on it is nearly reached. */
export const NEARLY_REACHED = 0.9;

/** How many people a portfolio of that tier may reach in 24 hours; null for no limit, or one that cannot be read. */
export function peopleOf(tier: string): number | null {
  const [, count, unit] = /^TIER_(\d+)([KM]?)$/.exec(tier) ?? [];
  return count ? Number(count) * { '': 1, K: 1_000, M: 1_000_000 }[unit as '' | 'K' | 'M'] : null;
}
