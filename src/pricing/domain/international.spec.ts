import { describe, expect, it } from '@jest/globals';
import { isInternational } from './international.js';

const NEW_YORK = '12025550100';
const DELHI = '919876540100';
const DUBAI = '971501230100';
const MUMBAI = '919123456789';

const START = '2026-06-01T00:00:00.000Z';
const LATER = '2026-07-01T00:00:00.000Z';
/** A declaration as the provider makes it: from June on everywhere but in India, where it begins in July. */
const DECLARED = { '*': START, IN: LATER };

describe('A code costs the international rate', () => {
  it.each([
    ['never without a declaration', null, NEW_YORK, DUBAI, LATER, false],
    ['never with an empty declaration', {}, NEW_YORK, DUBAI, LATER, false],
    ['not before the general start', DECLARED, NEW_YORK, DUBAI, '2026-05-31T23:59:59.999Z', false],
    ['from the general start on', DECLARED, NEW_YORK, DUBAI, START, true],
    ["not before the country's own start", DECLARED, NEW_YORK, DELHI, '2026-06-30T23:59:59Z', false],
    ["from the country's own start on", DECLARED, NEW_YORK, DELHI, LATER, true],
    ['in no country but the named one', { IN: START }, NEW_YORK, DUBAI, LATER, false],
    ['never within a country', DECLARED, MUMBAI, DELHI, LATER, false],
    [
      'never within the one of several countries that share a calling code',
      DECLARED,
      NEW_YORK,
      '14165550100',
      LATER,
      false,
    ],
    ['by either name of countries that share a calling code', { CA: START }, DUBAI, NEW_YORK, LATER, true],
    ['never to a number of no country', DECLARED, NEW_YORK, '99912345678', LATER, false],
  ])('%s', (_case, starts, from, to, at, expected) => {
    expect(isInternational({ starts, from, to, at: new Date(at) })).toBe(expected);
  });
});
