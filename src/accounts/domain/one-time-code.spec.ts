import { describe, expect, it } from '@jest/globals';
import { oneTimeSecret, oneTimeUri, SECRET_BYTES, stepOfCode } from './one-time-code.js';

/** The secret of RFC 6238's test vectors, `12345678901234567890`; the codes below are the last six digits of theirs. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

const at = (seconds: number) => new Date(seconds * 1000);

describe('A one-time code', () => {
  it.each([
    [59, '287082', 1],
    [1_111_111_109, '081804', 37_037_036],
    [1_234_567_890, '005924', 41_152_263],
    [20_000_000_000, '353130', 666_666_666],
  ])('at %i s is %s, as in RFC 6238', (seconds, code, step) => {
    expect(stepOfCode(SECRET, code, at(seconds))).toBe(step);
  });

  it.each([
    ['a step before its own', 29, 1],
    ['in the first second of its step', 30, 1],
    ['a step later', 89, 1],
    ['two steps later', 90, null],
  ])('may be a step early or late: %s', (_when, seconds, step) => {
    expect(stepOfCode(SECRET, '287082', at(seconds))).toBe(step);
  });

  it.each(['', '28708', '2870820', '28708a', 'xxxxxx'])('is not "%s"', (code) => {
    expect(stepOfCode(SECRET, code, at(59))).toBeNull();
  });

  it('has a secret of 160 bits, which an app reads from its address', () => {
    expect(SECRET_BYTES * 8).toBe(160);
    const secret = oneTimeSecret(Buffer.from('12345678901234567890'));
    expect(secret).toBe(SECRET);
    const uri = new URL(oneTimeUri(secret, 'ann@example.com'));
    expect(uri.protocol).toBe('otpauth:');
    expect(decodeURIComponent(uri.pathname)).toContain('Template Messages:ann@example.com');
    expect(uri.searchParams.get('secret')).toBe(secret);
  });
});
