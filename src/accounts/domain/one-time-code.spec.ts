import { describe, expect, it } from '@jest/globals';
import { oneTimeSecret, oneTimeUri, SECRET_BYTES, stepOfCode } from './one-time-code.js';

/** RFC 6238's own: `12345678901234567890`, and its codes' last six digits. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

const at = (seconds: number) => new Date(seconds * 1000);

describe('A one-time code', () => {
  it.each([
    [59, '287082', 1],
    [1_111_111_109, '081804', 37_037_036],
    [1_234_567_890, '005924', 41_152_263],
    [20_000_000_000, '353130', 666_666_666],
  ])('of RFC 6238, at %i s, is %s', (seconds, code, step) => {
    expect(stepOfCode(SECRET, code, at(seconds))).toBe(step);
  });

  it.each([
    ['a step before its own', 29, 1],
    ['in the first second of its step', 30, 1],
    ['a step later', 89, 1],
    ['two steps later', 90, null],
  ])('may come %s', (_when, seconds, step) => {
    expect(stepOfCode(SECRET, '287082', at(seconds))).toBe(step);
  });

  it.each(['', '28708', '2870820', '28708a', 'xxxxxx'])('is not "%s"', (code) => {
    expect(stepOfCode(SECRET, code, at(59))).toBeNull();
  });

  it('is of a secret of 160 bits, which its address hands to an app', () => {
    expect(SECRET_BYTES * 8).toBe(160);
    const secret = oneTimeSecret(Buffer.from('12345678901234567890'));
    expect(secret).toBe(SECRET);
    const uri = new URL(oneTimeUri(secret, 'ann@example.com'));
    expect(uri.protocol).toBe('otpauth:');
    expect(decodeURIComponent(uri.pathname)).toContain('Template Messages:ann@example.com');
    expect(uri.searchParams.get('secret')).toBe(secret);
  });
});
