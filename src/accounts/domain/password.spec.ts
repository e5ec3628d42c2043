import { passwordStrength } from './password.js';

describe('the strength of a password', () => {
  it.each([
    ['', 'too_short'],
    ['nine char', 'too_short'],
    ['🔑🔑🔑🔑🔑', 'too_short'],
    ['aaaaaaaaaaaaaaaaaaaa', 'weak'],
    ['anna banana nana', 'weak'],
    ['horse staple', 'fair'],
    ['correct horse battery staple', 'strong'],
  ])('of "%s" is %s', (password, strength) => {
    expect(passwordStrength(password)).toBe(strength);
  });
});
