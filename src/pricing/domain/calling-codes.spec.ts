import { describe, it, expect } from '@jest/globals';
import { type CountryCode, getCountryCallingCode } from 'libphonenumber-js/max';
import { countryOf, ISO_CODES, marketOf } from './calling-codes.js';
import { COUNTRIES } from './markets.js';

describe('marketOf', () => {
  it.each([
    ['971501234567', 'United Arab Emirates'],
    ['201001234567', 'Egypt'],
    ['4915112345678', 'Germany'],
    ['447911123456', 'United Kingdom'],
    ['919876543210', 'India'],
    ['2348012345678', 'Nigeria'],
    ['27821234567', 'South Africa'],
    ['12025550123', 'North America'],
    ['14165550123', 'North America'],
    ['18095550123', 'Rest of Latin America'],
    ['18765550123', 'Rest of Latin America'],
    ['17875550123', 'Rest of Latin America'],
    ['18685550123', 'Other'],
    ['79161234567', 'Russia'],
    ['77011234567', 'Other'],
    ['76001234567', 'Other'],
    ['254712345678', 'Rest of Africa'],
    ['818012345678', 'Rest of Asia Pacific'],
    ['48512345678', 'Rest of Central & Eastern Europe'],
    ['593991234567', 'Rest of Latin America'],
    ['97412345678', 'Rest of Middle East'],
    ['41791234567', 'Rest of Western Europe'],
    ['821012345678', 'Other'],
    ['99912345678', 'Other'],
    ['80012345678', 'Other'],
    ['9', 'Other'],
    ['', 'Other'],
  ])('places %p in %s', (digits, market) => {
    expect(marketOf(digits)).toBe(market);
  });

  it('places a country in a market of its own when the card has a price for it', () => {
    const priced = new Set(['Hong Kong', 'Kazakhstan', 'Rest of Asia Pacific', 'Other']);
    expect(marketOf('85291234567', priced)).toBe('Hong Kong');
    expect(marketOf('77011234567', priced)).toBe('Kazakhstan');
    expect(marketOf('818012345678', priced)).toBe('Rest of Asia Pacific');
    expect(marketOf('971501234567', priced)).toBe('United Arab Emirates');
  });
});

describe('the table', () => {
  const countries = Object.values(COUNTRIES).flatMap((market) => Object.entries(market));
  const codes = countries.flatMap(([, all]) => all.split(' ').filter((code) => /\d/.test(code)));

  it('names every code once, as one to four digits', () => {
    expect(new Set(codes).size).toBe(codes.length);
    expect(codes.filter((code) => !/^[1-9]\d{0,3}$/.test(code))).toEqual([]);
  });

  it('names at least one ISO code for every country, and each code once', () => {
    const isoCodes = countries.flatMap(([, all]) => all.split(' ').filter((code) => /^[A-Z]{2}$/.test(code)));
    expect([...ISO_CODES]).toEqual(isoCodes);
    expect(countries.filter(([, all]) => !/^([A-Z]{2} )+[\d ]+$/.test(all))).toEqual([]);
  });

  it.each(codes.map((code) => [code, countryOf(code)?.isoCodes ?? []] as const))(
    'has for +%s the ISO code of a country with this calling code',
    (code, isoCodes) => {
      for (const isoCode of isoCodes)
        expect(code.startsWith(getCountryCallingCode(isoCode as CountryCode))).toBe(true);
    },
  );

  it('has no code that begins with another code, except those of +1 and +7', () => {
    const within = codes.filter((code) => codes.some((other) => other !== code && code.startsWith(other)));
    expect(within.filter((code) => !/^[17]/.test(code))).toEqual([]);
  });
});
