import { ANY_COUNTRY, type AuthInternational } from '../../accounts/auth-international.js';
import { textOf } from './wire-values.js';

/**
 * What an `account_update` declares about international authentication: the general start time, if any, and the start
 * times of countries that differ from it. Null when it declares nothing that can be read.
 */
export function readAuthInternational(value: Record<string, unknown>): AuthInternational | null {
  const declared = value['auth_international_rate_eligibility'];
  if (!isObject(declared)) return null;
  const exceptions = declared['exception_countries'];
  const starts = [
    [ANY_COUNTRY, declared['start_time']],
    ...(Array.isArray(exceptions) ? exceptions.filter(isObject) : []).map(
      ({ country_code, start_time }) => [country_code, start_time] as const,
    ),
  ].flatMap(([country, start]) => {
    const time = timeOf(start);
    return typeof country === 'string' && COUNTRY.test(country) && time ? [[country, time] as const] : [];
  });
  return starts.length === 0 ? null : Object.fromEntries(starts);
}

const COUNTRY = /^([A-Z]{2}|\*)$/;

/** Turns seconds since 1970, a number or its digits, into ISO 8601. */
function timeOf(seconds: unknown): string | null {
  if (!/^\d{1,11}$/.test(textOf(seconds))) return null;
  return new Date(Number(seconds) * 1_000).toISOString();
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
