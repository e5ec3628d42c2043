import { describe, expect, it } from '@jest/globals';
import { COMPONENT_CASES, componentsOf } from './support/component-cases.js';
import { verdictsOn } from './support/component-verdicts.js';

const ERROR = /^(VALIDATION_FAILED|TEMPLATE_PARAMS_MISMATCH|TEMPLATE_HEADER_MEDIA_REQUIRED)$/;

describe('A send', () => {
  it.each(COMPONENT_CASES.filter(({ fits }) => fits))('is accepted with $what', (one) => {
    expect(verdictsOn(one.template, componentsOf(one))).toEqual({ acceptance: null, sandbox: null });
  });

  it.each(COMPONENT_CASES.filter(({ fits }) => !fits))(
    'is refused with $what, before it is charged',
    (one) => {
      const { acceptance, sandbox } = verdictsOn(one.template, componentsOf(one));
      expect(acceptance).toMatch(ERROR);
      expect(sandbox).toEqual(expect.any(Number)); // an error code of the provider
    },
  );
});
