/** Length of a password in characters: shorter ones are guessed, longer ones only take time to hash. */
export const MIN_PASSWORD = 10;
export const MAX_PASSWORD = 256;

export type PasswordStrength = 'too_short' | 'weak' | 'fair' | 'strong';

/** How many different characters, and how many in all, the better ratings need. */
const FAIR = { different: 6, length: 12 };
const STRONG = { different: 10, length: 16 };

/** A hint while choosing a password, by its length and its different characters. Only `too_short` is refused. */
export function passwordStrength(password: string): PasswordStrength {
  const characters = [...password];
  if (characters.length < MIN_PASSWORD) return 'too_short';
  const different = new Set(characters).size;
  const reaches = (rating: typeof FAIR) =>
    different >= rating.different && characters.length >= rating.length;
  if (reaches(STRONG)) return 'strong';
  return reaches(FAIR) ? 'fair' : 'weak';
}
