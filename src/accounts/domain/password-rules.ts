import { MAX_PASSWORD, MIN_PASSWORD } from './password.js';

/** How many characters around a word do not yet make it a better password. */
const DECORATION = 6;

/** Names with fewer letters are not looked for. */
const SHORTEST_NAME = 3;

/** The longest piece that a password must not merely repeat, in characters, as in `abcabcabcabc`. */
const LONGEST_PIECE = 3;

const SERVICE_NAMES = ['templatemessagingservice', 'templatemessaging', 'templatemessages'];

/** Signs that people write in place of letters. */
const LOOKALIKES: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
};

/**
 * Why a password is refused, as the rest of a sentence about it; null when it may be used.
 * @param email whose password it will be
 * @param isCommon whether a word in lower case is among the commonest passwords
 */
export function passwordFault(
  password: string,
  email: string,
  isCommon: (word: string) => boolean,
): string | null {
  if ([...password].length < MIN_PASSWORD) return `must have at least ${MIN_PASSWORD} characters`;
  if (password.length > MAX_PASSWORD) return `must have at most ${MAX_PASSWORD} characters`;
  const text = password.normalize('NFKC').toLowerCase();
  if (isRun(text) || wordsIn(text).some((word) => word.length <= LONGEST_PIECE || isCommon(word)))
    return 'is, or is made of, one of the passwords that are tried first; choose several words of your own';
  if (containsName(text, namesOf(email)))
    return 'is little more than your e-mail address or the name of this service; choose something else';
  return null;
}

/** What a guesser would try: the text, its word without the digits and signs around it, and the piece it repeats. */
function wordsIn(text: string): string[] {
  const words = [text];
  const core = text.replaceAll(/^\P{L}+|\P{L}+$/gu, '');
  if (text.length - core.length <= DECORATION)
    words.push(
      core,
      core.replaceAll(/\P{L}/gu, (sign) => LOOKALIKES[sign] ?? sign),
    );
  const piece = /^(.+?)\1+$/su.exec(text)?.[1];
  if (piece !== undefined) words.push(piece);
  return words;
}

/** Whether each character follows the one before it, up or down, as in `12345678901234` and `zyxwvutsrqpo`. */
function isRun(text: string): boolean {
  return goesUp(text) || goesUp([...text].toReversed().join(''));
}

function goesUp(text: string): boolean {
  return [...text].every((sign, i) => i === 0 || sign === next(text.charAt(i - 1)));
}

const next = (sign: string) => (sign === '9' ? '0' : String.fromCharCode(sign.charCodeAt(0) + 1));

function containsName(text: string, names: string[]): boolean {
  const plain = plainOf(text);
  return names.some(
    (name) =>
      name.length >= SHORTEST_NAME && plain.includes(name) && plain.length - name.length <= DECORATION,
  );
}

function namesOf(email: string): string[] {
  const [local = '', domain = ''] = email.toLowerCase().split('@');
  const [company = ''] = domain.split('.');
  return [...[email.toLowerCase(), local, domain, company].map(plainOf), ...SERVICE_NAMES];
}

/** Letters and digits only. */
function plainOf(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]/gu, '');
}
