import { createHash } from 'node:crypto';

/** How many a user gets. */
export const RECOVERY_CODES = 10;

/** 31 letters and digits that are not taken for one another. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';

const GROUPS = 4;
const GROUP = 4;

/**
 * Such as `k7mw-2xq9-pd4t-h6ru`: 79 random bits, so that its plain hash reveals nothing.
 * @param random gives an integer from 0 to below its argument
 */
export function newRecoveryCode(random: (below: number) => number): string {
  const letter = () => ALPHABET.charAt(random(ALPHABET.length));
  return Array.from({ length: GROUPS }, () => Array.from({ length: GROUP }, letter).join('')).join('-');
}

/** The hash that a code is stored as, whatever its case and hyphens; null when the text is no code. */
export function recoveryHash(code: string): string | null {
  const plain = code.toLowerCase().replaceAll(/[\s-]/g, '');
  return plain.length === GROUPS * GROUP ? createHash('sha256').update(plain).digest('hex') : null;
}
