import { ValidateBy } from 'class-validator';
import { ANY_COUNTRY, type AuthInternational } from '../accounts/auth-international.js';
import { ISO_CODES } from '../pricing/domain/calling-codes.js';
import { instantOf } from './options.js';

/**
 * `IN=2026-07-01,*=2026-06-01T00:00:00Z` as start times by country; empty for nothing.
 * @returns null when it is something else
 */
export function startTimesOf(text: string): AuthInternational | null {
  const starts: AuthInternational = {};
  for (const entry of text === '' ? [] : text.split(',')) {
    const [country = '', time = '', ...more] = entry.trim().split('=');
    const start = instantOf(time);
    const isKnown = country === ANY_COUNTRY || ISO_CODES.has(country);
    if (!isKnown || !start || more.length > 0 || Object.hasOwn(starts, country)) return null;
    starts[country] = start.toISOString();
  }
  return starts;
}

/** Start times by country, as {@link startTimesOf} reads them. */
export const IsStartTimes = () =>
  ValidateBy({
    name: 'isStartTimes',
    validator: {
      validate: (value) => typeof value === 'string' && startTimesOf(value) !== null,
      defaultMessage: (fault) =>
        `${fault?.property} must name each country once by its two letters, or all others by *, with a day or a ` +
        'time with its offset, such as IN=2026-07-01,*=2026-06-01T00:00:00Z',
    },
  });
