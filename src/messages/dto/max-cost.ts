import type { ApiPropertyOptions } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';

/** Digits before and behind the point: more than any currency needs, or a sum of floating-point numbers comes to. */
const DECIMAL = /^\d{1,64}(\.\d{1,64})?$/;

/** For the API's document. */
export const MAX_COST_SCHEMA = {
  oneOf: [
    { type: 'number', format: 'double', minimum: 0 },
    { type: 'string', pattern: DECIMAL.source },
  ],
} satisfies ApiPropertyOptions;

/** What a message may cost. Any number: what callers compute, such as 3 * 0.0013, has more places than a price. */
export const IsMaxCost = () =>
  ValidateBy({
    name: 'isMaxCost',
    validator: {
      validate: (value) =>
        typeof value === 'number'
          ? Number.isFinite(value) && value >= 0
          : typeof value === 'string' && DECIMAL.test(value),
      defaultMessage: (fault) => `${fault?.property} must be a decimal of 0 or more`,
    },
  });
