import { COUNTRIES } from './markets.js';

/** The market of every number that no other market claims. */
export const OTHER = 'Other';

export interface Country {
  name: string;
  market: string;
  /** ISO 3166-1, two letters: a single code, except for countries that share their calling code. */
  isoCodes: readonly string[];
}

const ISO_CODE = /^[A-Z]{2}$/;

const BY_PREFIX = new Map<string, Country>(
  Object.entries(COUNTRIES).flatMap(([market, countries]) =>
    Object.entries(countries).flatMap(([name, codes]) => {
      const isoCodes = codes.split(' ').filter((code) => ISO_CODE.test(code));
      const country = { name, market, isoCodes };
      const prefixes = codes.split(' ').filter((code) => !ISO_CODE.test(code));
      return prefixes.map((prefix): [string, Country] => [prefix, country]);
    }),
  ),
);

/** The ISO codes of all countries of the table. */
export const ISO_CODES: ReadonlySet<string> = new Set(
  [...BY_PREFIX.values()].flatMap(({ isoCodes }) => isoCodes),
);

const LONGEST = Math.max(...[...BY_PREFIX.keys()].map((prefix) => prefix.length));

/** The country of a number (digits only, country code first) by the longest calling code that fits. */
export function countryOf(digits: string): Country | undefined {
  for (let length = Math.min(LONGEST, digits.length); length > 0; length -= 1) {
    const country = BY_PREFIX.get(digits.slice(0, length));
    if (country) return country;
  }
  return undefined;
}

/**
 * The market of a number's country; see {@link countryOf}.
 *
 * The provider takes countries out of the regional markets from time to time.
 * @param priced the markets of the rate card in force: a country with a row of its own there is its own market
 */
export function marketOf(digits: string, priced?: ReadonlySet<string>): string {
  const country = countryOf(digits);
  if (!country) return OTHER;
  return priced?.has(country.name) ? country.name : country.market;
}
