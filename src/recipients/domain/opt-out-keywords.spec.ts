import { describe, expect, it } from '@jest/globals';
import { DEFAULT_KEYWORDS, foldKeyword, isKeyword, MAX_KEYWORD_LENGTH } from './opt-out-keywords.js';

const isStop = (text: string) => isKeyword(text, DEFAULT_KEYWORDS);

describe('A text opts out by the usual words', () => {
  it.each([
    'STOP',
    ' stop ',
    'Stop!',
    '"Stop."',
    '*STOP*',
    'stop 🛑',
    '\u200Fstop\u200F',
    'ＳＴＯＰ',
    'Opt-Out',
    'opt  out',
    'Unsubscribe…',
    '¡BAJA!',
    'SAIR',
    'Arrêt',
    'Abmelden',
    'Annulla iscrizione',
    'إلغاء الاشتراك',
    'बंद करें।',
    'Berhenti',
    'ABONELİKTEN ÇIK',
  ])('%s', (text) => expect(isStop(text)).toBe(true));

  it.each([
    '',
    '!',
    'Please do not stop',
    'stop sending me bills, send the order',
    'Cancel',
    'No',
    'stops',
    'st op',
    `stop ${'!'.repeat(1_000)}`,
  ])('but not as %s', (text) => expect(isStop(text)).toBe(false));
});

it('Words of a tenant replace the usual ones', () => {
  expect(isKeyword('Enough!', ['enough'])).toBe(true);
  expect(isKeyword('stop', ['enough'])).toBe(false);
  expect(isKeyword('stop', [])).toBe(false);
});

it('The usual words are each given once, and fit the limits of a tenant’s words', () => {
  const folded = DEFAULT_KEYWORDS.map(foldKeyword);
  expect(new Set(folded).size).toBe(folded.length);
  for (const word of DEFAULT_KEYWORDS) expect(word.length).toBeLessThanOrEqual(MAX_KEYWORD_LENGTH);
});
