import { describe, expect, it } from '@jest/globals';
import { passwordFault } from './password-rules.js';

const COMMON = new Set(['password', 'qwertyuiop', 'dragon', 'corvette1234']);

const faultOf = (password: string, email = 'ann.smith@flowers.example') =>
  passwordFault(password, email, (word) => COMMON.has(word));

describe('A password', () => {
  it.each([
    'correct horse battery staple',
    'password of a whole family',
    'dragon 4711 green',
    'Grün-ist-die-7',
    '202620262026',
  ])('may be "%s"', (password) => expect(faultOf(password)).toBeNull());

  it.each([
    ['nine char', 'at least 10'],
    ['🔑🔑🔑🔑🔑🔑', 'at least 10'],
    ['x'.repeat(257), 'at most 256'],
    ['corvette1234', 'tried first'],
    ['CORVETTE1234', 'tried first'],
    ['Password2026', 'tried first'],
    ['!!P@ssw0rd!!', 'tried first'],
    ['qwertyuiop12', 'tried first'],
    ['passwordpassword', 'tried first'],
    ['aaaaaaaaaaaaaaa', 'tried first'],
    ['abcabcabcabc', 'tried first'],
    ['12345678901234', 'tried first'],
    ['zyxwvutsrqpo', 'tried first'],
    ['ann.smith@flowers.example', 'e-mail'],
    ['Ann.Smith.2026', 'e-mail'],
    ['1!flowers-example', 'e-mail'],
    ['Template Messaging', 'name of this service'],
    ['template-messages-1', 'name of this service'],
  ])('"%s" is refused, with the words: %s', (password, words) => {
    expect(faultOf(password)).toContain(words);
  });
});
