import { describe, it, expect } from '@jest/globals';
import { ApiError } from '../../common/errors.js';
import { normalizePhone } from './phone.js';

function faultOf(raw: unknown): ApiError {
  try {
    normalizePhone(raw as string);
  } catch (error) {
    if (error instanceof ApiError) return error;
  }
  throw new Error(`${String(raw)} was accepted, or failed with another error`);
}

describe('normalizePhone', () => {
  it.each([
    ['+971501234567', '971501234567', 'AE', '971'],
    ['971501234567', '971501234567', 'AE', '971'],
    [' +971 50 123 4567 ', '971501234567', 'AE', '971'],
    ['+971 (50) 123.45-67', '971501234567', 'AE', '971'],
    ['(+971) 50-123-4567', '971501234567', 'AE', '971'],
    ['[971]50 1234567', '971501234567', 'AE', '971'],
    ['+971\u00A050\u2011123\u20134567', '971501234567', 'AE', '971'],
    ['+1 (202) 555-0123', '12025550123', 'US', '1'],
    ['+1 876 234 5678', '18762345678', 'JM', '1'],
    ['+44 (0)20 7946 0958', '442079460958', 'GB', '44'],
    ['+39 06 1234 5678', '390612345678', 'IT', '39'],
    ['+7 701 123 4567', '77011234567', 'KZ', '7'],
    ['+7 916 123 4567', '79161234567', 'RU', '7'],
    ['+55 11 98765 4321', '5511987654321', 'BR', '55'],
    ['+55 11 8765 4321', '551187654321', 'BR', '55'],
    ['+54 9 11 2345 6789', '5491123456789', 'AR', '54'],
    ['+52 55 1234 5678', '525512345678', 'MX', '52'],
    ['+52 1 55 1234 5678', '5215512345678', 'MX', '52'],
    ['+225 01 02 03 04 05', '2250102030405', 'CI', '225'],
    ['+65 8123 4567', '6581234567', 'SG', '65'],
  ])('reads %p', (raw, digits, country, callingCode) => {
    expect(normalizePhone(raw)).toEqual({ digits, country, callingCode });
  });

  it('names no country for a calling code that no country owns', () => {
    expect(normalizePhone('+800 1234 5678')).toEqual({ digits: '80012345678', callingCode: '800' });
  });

  it('accepts a possible number of a range not yet assigned', () => {
    expect(normalizePhone('+971 59 999 9999').digits).toBe('971599999999');
  });

  it.each([
    ['nothing', ''],
    ['blanks', '   '],
    ['a plus alone', '+'],
    ['a local number', '0501234567'],
    ['a 00 prefix', '00971501234567'],
    ['a 00 prefix behind a plus', '+00971501234567'],
    ['too few digits', '+97150'],
    ['too many digits', '+9715012345678901'],
    ['an unknown country code', '+999123456789'],
    ['a country code alone', '+971'],
    ['letters', '+1-800-FLOWERS'],
    ['an extension', '+12025550123;ext=5'],
    ['a URI', 'tel:+12025550123'],
    ['a plus within', '971+501234567'],
    ['two pluses', '++971501234567'],
    ['two numbers', '+971501234567, +971501234568'],
    ['a slash', '+49 30/1234567'],
    ['a line break', '+971501234567\n'],
    ['a NUL', '+971501234567\0'],
    ['Arabic-Indic digits', '+٩٧١٥٠١٢٣٤٥٦٧'],
    ['40 blanks and more', `+971501234567${' '.repeat(40)}`],
    ['no text', undefined],
    ['null', null],
  ])('refuses %s', (_case, raw) => {
    expect(faultOf(raw)).toMatchObject({ code: 'INVALID_PHONE', status: 422, details: [{ field: 'phone' }] });
  });

  it('says what to do about a 00 prefix, without repeating the number', () => {
    const { message } = faultOf('00971501234567');
    expect(message).toContain('leave out 00');
    expect(message).not.toContain('00971501234567');
  });

  it('refuses a megabyte at once', () => {
    expect(faultOf('9'.repeat(1 << 20)).message).toContain('longer than 40');
  });
});
