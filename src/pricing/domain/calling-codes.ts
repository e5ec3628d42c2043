import { COUNTRIES } from './markets.js';

/** The market of every number that no other market claims. */
export const OTHER = 'Other';

interface Country {
  name: string;
  market: string;
}

const BY_PREFIX = new Map<string, Country>(
  Object.entries(COUNTRIES).flatMap(([market, countries]) =>
    Object.entries(countries).flatMap(([name, prefixes]) =>
      prefixes.split(' ').map((prefix): [string, Country] => [prefix, { name, market }]),
    ),
  ),
);

const LONGEST = Math.max(...[...BY_PREFIX.keys()].map((prefix) => prefix.length));

function countryOf(digits: string): Country | undefined {
  for (let length = Math.min(LONGEST, digits.length); length > 0; length -= 1) {
    const country = BY_PREFIX.get(digits.slice(0, length));
    if (country) return country;
  }
  return undefined;
}

/**
 * The market of a number (digits only, country code first) by the longest calling code that fits.
 *
 * The provider takes countries out of the regional markets from time to time. Give the markets of the rate card in
 * force, and a country that has its own row there is its own market.
 */
export function marketOf(digits: string, priced?: ReadonlySet<string>): string {
  const country = countryOf(digits);
  if (!country) return OTHER;
  return priced?.has(country.name) ? country.name : country.market;
}
