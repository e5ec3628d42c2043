import { randomInt } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { newRecoveryCode, recoveryHash } from './recovery-code.js';

describe('A recovery code', () => {
  it('is random, and is recognized however it is typed', () => {
    const code = newRecoveryCode(randomInt);
    expect(code).toMatch(/^([2-9a-hjkmnp-z]{4}-){3}[2-9a-hjkmnp-z]{4}$/);
    expect(newRecoveryCode(randomInt)).not.toBe(code);
    expect(newRecoveryCode(() => 0)).toBe('2222-2222-2222-2222');
    expect(recoveryHash(code)).toMatch(/^[0-9a-f]{64}$/);
    expect(recoveryHash(` ${code.toUpperCase().replaceAll('-', ' ')}`)).toBe(recoveryHash(code));
  });

  it.each(['', '123456', 'k7mw-2xq9-pd4t', 'k7mw-2xq9-pd4t-h6ru-a'])('is not "%s"', (code) => {
    expect(recoveryHash(code)).toBeNull();
  });
});
