import { describe, expect, it } from '@jest/globals';
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/core';
import examples from 'libphonenumber-js/mobile/examples';
import metadata from 'libphonenumber-js/min/metadata';
import { readPlainNumber } from './numbering-plan.js';

/** Of the +1 numbers, those that begin with this are told apart by six digits rather than by four. */
const PERSONAL = '52';

/** Digits that look random, and are the same in each run. */
function digitsFrom(seed: number): (count: number) => string {
  let state = seed;
  const next = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) >>> 24;
  return (count) => Array.from({ length: count }, () => next() % 10).join('');
}

/** As libphonenumber reads it; null where it refuses the number, or leaves a part of it out. */
function byLibrary(digits: string) {
  const number = parsePhoneNumberFromString(`+${digits}`, { extract: false }, metadata);
  if (!number?.isPossible() || number.number !== `+${digits}`) return null;
  return { callingCode: number.countryCallingCode, country: number.country };
}

/** What is read quickly has to be what libphonenumber reads, and nothing that it refuses. */
function differences(numbers: string[]) {
  return numbers.filter((digits) => {
    const plain = readPlainNumber(digits);
    const read = byLibrary(digits);
    return plain !== null && (plain.callingCode !== read?.callingCode || plain.country !== read.country);
  });
}

const lengthsOf = (countries: readonly CountryCode[]) =>
  new Set(countries.flatMap((country) => metadata.countries[country]?.[3] as number[]));

describe('A number is read as libphonenumber reads it', () => {
  const random = digitsFrom(1);

  it.each(['2', '3', '4', '5', '6', '7', '8', '9'])('in the area codes of +1 from %s00 on', (first) => {
    const fourDigits = Array.from({ length: 1_000 }, (_, i) => first + String(i).padStart(3, '0'));
    const prefixes = fourDigits.flatMap((four) =>
      four.startsWith(PERSONAL) ? Array.from({ length: 20 }, () => four + random(2)) : [four],
    );
    const numbers = prefixes.flatMap((prefix) =>
      Array.from({ length: 2 }, () => `1${prefix}${random(10 - prefix.length)}`),
    );
    expect(differences(numbers)).toEqual([]);
    // Else libphonenumber would be asked after all.
    expect(numbers.filter((digits) => readPlainNumber(digits) === null)).toEqual([]);
  });

  it.each(Object.entries(metadata.country_calling_codes))('behind +%s', (code, countries) => {
    const shared = countries.length > 1;
    const numbers = [...lengthsOf(countries), 4, 17].flatMap((length) =>
      Array.from({ length: shared ? 1_000 : 50 }, () => code + random(length)),
    );
    expect(differences(numbers)).toEqual([]);
  });

  it('in every country, by the example that it gives of a mobile number', () => {
    const numbers = Object.entries(examples).map(([country, national]) => {
      const [code] = metadata.countries[country as CountryCode] as [string];
      return code + national;
    });
    expect(differences(numbers)).toEqual([]);
    const left = numbers.filter((digits) => readPlainNumber(digits) === null);
    // Of Argentina, libphonenumber takes each number for one that may have a national prefix.
    expect(left.filter((digits) => !digits.startsWith('54'))).toEqual([]);
  });
});

describe('A number is left to libphonenumber', () => {
  it.each([
    ['with a trunk 0', '4402079460958'],
    ['with a trunk 1', '112025550123'],
    ['that is too short', '1202555012'],
    ['that is too long', '120255501234'],
    ['of a country code that no country owns', '80012345678'],
    ['of no country code', '999123456789'],
    ['of a country code alone', '971'],
    ['of nothing', ''],
  ])('%s', (_, digits) => {
    expect(readPlainNumber(digits)).toBeNull();
  });
});
