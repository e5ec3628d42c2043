/**
 * A portfolio's messaging limit as the provider says it: `TIER_2K` of a number, 2000 or -1 (none) of an account.
 * @returns the tier; null where nothing is said, as `TIER_NOT_SET` says nothing
 */
export function readMessagingLimit(value: unknown): string | null {
  if (typeof value === 'string' && /^TIER_(\d+[KM]?|UNLIMITED)$/.test(value)) return value;
  const people = typeof value === 'number' || typeof value === 'string' ? Number(value) : NaN;
  if (value === '' || !Number.isSafeInteger(people)) return null;
  if (people === -1) return 'TIER_UNLIMITED';
  if (people <= 0) return null;
  return people % 1_000 === 0 ? `TIER_${people / 1_000}K` : `TIER_${people}`;
}

/** To how many people in 24 hours a portfolio of that tier may send; null where there is no limit, or none to be read. */
export function peopleOf(tier: string): number | null {
  const [, count, unit] = /^TIER_(\d+)([KM]?)$/.exec(tier) ?? [];
  return count ? Number(count) * { '': 1, K: 1_000, M: 1_000_000 }[unit as '' | 'K' | 'M'] : null;
}
