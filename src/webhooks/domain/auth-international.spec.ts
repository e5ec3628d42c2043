import { describe, expect, it } from '@jest/globals';
import { readAuthInternational } from './auth-international.js';

const JUNE = '2024-06-01T07:00:00.000Z';
const JULY = '2024-07-01T07:00:00.000Z';
const country = (country_code: unknown, start_time: unknown) => ({ country_code, start_time });

describe('A declaration of international authentication is read', () => {
  it.each([
    ['with a general start alone', { start_time: 1717225200, exception_countries: [] }, { '*': JUNE }],
    [
      'with countries of another start',
      { start_time: 1717225200, exception_countries: [country('IN', 1719817200), country('ID', 1717225200)] },
      { '*': JUNE, IN: JULY, ID: JUNE },
    ],
    ['with countries alone', { exception_countries: [country('IN', '1719817200')] }, { IN: JULY }],
    ['with a general start and no list of countries', { start_time: '1717225200' }, { '*': JUNE }],
    [
      'with countries that cannot be read',
      { start_time: 1717225200, exception_countries: [country('India', 1), country('ID', 'soon'), null, 7] },
      { '*': JUNE },
    ],
    ['with nothing in it', {}, null],
    ['with a start that cannot be read', { start_time: 'soon', exception_countries: 'none' }, null],
    ['when it is no object', 'IN', null],
  ])('%s', (_case, declared, expected) => {
    const value = {
      event: 'AUTH_INTL_PRICE_ELIGIBILITY_UPDATE',
      auth_international_rate_eligibility: declared,
    };
    expect(readAuthInternational(value)).toEqual(expected);
  });

  it('when it is missing', () => {
    expect(readAuthInternational({ event: 'AUTH_INTL_PRICE_ELIGIBILITY_UPDATE' })).toBeNull();
  });
});
