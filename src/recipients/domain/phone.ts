import { parsePhoneNumberFromString } from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/min/metadata';
import { ApiError } from '../../common/errors.js';
import { readPlainNumber } from './numbering-plan.js';

/** A recipient's number as it is stored and sent. */
export interface Phone {
  /** Country code and number, digits only. */
  digits: string;
  /** ISO 3166-1 alpha-2; absent for codes that no country owns, such as +800, and where the number is too new. */
  country?: string;
  callingCode: string;
}

/** 15 digits (E.164) with a separator between any two, a trunk `(0)` and some blanks to spare. */
const MAX_LENGTH = 40;
const SEPARATORS = /[\p{Zs}\p{Pd}.()[\]]/gu;

const fault = (problem: string) =>
  new ApiError('INVALID_PHONE', `${problem} Give the country code and the number, as in +971501234567.`, [
    { field: 'phone' },
  ]);

/**
 * Mexican mobiles keep a historic 1 after the country code in WhatsApp ids (`521…`), which the numbering plan
 * dropped in 2019; callers that reply to such an id would be refused otherwise.
 */
const MEXICAN_MOBILE_ID = /^521\d{10}$/;

function digitsOf(raw: string): string {
  if (raw.length > MAX_LENGTH) throw fault(`The phone number is longer than ${MAX_LENGTH} characters.`);
  const compact = raw.replace(SEPARATORS, '');
  if (!/^\+?[0-9]+$/.test(compact)) {
    throw fault('The phone number may hold digits, a leading +, spaces, dots, dashes and brackets only.');
  }
  const digits = compact.replace('+', '');
  if (digits.startsWith('0')) {
    throw fault('The phone number starts with 0: leave out 00 or another prefix before the country code.');
  }
  return digits;
}

/**
 * The number in one form, whatever way it was written; a trunk 0, as in `+44 (0)20…`, is left out. Possible numbers
 * are accepted, by country code and length: a stricter check refuses numbers that are real but new. The smallest
 * metadata is enough for that. Most numbers are read in 1 µs by {@link readPlainNumber}, the rest by libphonenumber.
 *
 * @throws ApiError INVALID_PHONE
 */
export function normalizePhone(raw: string): Phone {
  const digits = digitsOf(String(raw));
  if (MEXICAN_MOBILE_ID.test(digits)) return { digits, country: 'MX', callingCode: '52' };
  const plain = readPlainNumber(digits);
  if (plain) return phoneOf(digits, plain.callingCode, plain.country);
  const number = parsePhoneNumberFromString(`+${digits}`, { extract: false }, metadata);
  if (!number?.isPossible()) throw fault('The phone number is not a possible international number.');
  return phoneOf(number.number.slice(1), number.countryCallingCode, number.country);
}

const phoneOf = (digits: string, callingCode: string, country: string | undefined): Phone =>
  country ? { digits, callingCode, country } : { digits, callingCode };

/** Whether the provider delivers marketing there: it has stopped that for numbers of the United States. */
export const takesMarketing = ({ country }: Phone): boolean => country !== 'US';
