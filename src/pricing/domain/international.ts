import { ANY_COUNTRY, type AuthInternational } from '../../accounts/auth-international.js';
import { countryOf } from './calling-codes.js';

export interface CodeToPrice {
  /** Of the sending number's business account; null where nothing was declared. */
  starts: AuthInternational | null;
  /** Sending number and recipient, digits only. */
  from: string;
  to: string;
  at: Date;
}

/**
 * Whether a code costs the international rate, where the recipient's market has one: it goes to another country than
 * that of the sending number, at or after the start time that the provider has declared for that country.
 */
export function isInternational({ starts, from, to, at }: CodeToPrice): boolean {
  if (!starts) return false;
  const country = countryOf(to);
  if (!country || country === countryOf(from)) return false;
  const named = country.isoCodes.find((code) => starts[code] !== undefined);
  const start = starts[named ?? ANY_COUNTRY];
  return start !== undefined && Date.parse(start) <= at.getTime();
}
