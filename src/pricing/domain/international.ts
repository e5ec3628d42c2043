import { ANY_COUNTRY, type AuthInternational } from '../../accounts/auth-international.js';
import { countryOf } from './calling-codes.js';

export interface CodeToPrice {
  /** The start times of the sending number's business account; null where nothing was declared. */
  starts: AuthInternational | null;
  /** Sending number and recipient, digits only. */
  from: string;
  to: string;
  at: Date;
}

/**
 * Whether the international rate applies to a code: the recipient's country is not that of the sending number, and the
 * start time that the provider has declared for it has come.
 */
export function isInternational({ starts, from, to, at }: CodeToPrice): boolean {
  if (!starts) return false;
  const country = countryOf(to);
  if (!country || country === countryOf(from)) return false;
  const named = country.isoCodes.find((code) => starts[code] !== undefined);
  const start = starts[named ?? ANY_COUNTRY];
  return start !== undefined && Date.parse(start) <= at.getTime();
}
