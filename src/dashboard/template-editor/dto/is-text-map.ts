import { ValidateBy } from 'class-validator';

/** More samples than any text has placeholders for. */
const MOST_ENTRIES = 500;

/** Checks that the value is an object whose values are texts. */
export function IsTextMap(): PropertyDecorator {
  return ValidateBy({
    name: 'isTextMap',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'object' &&
        value !== null &&
        !Array.isArray(value) &&
        Object.keys(value).length <= MOST_ENTRIES &&
        Object.values(value).every((text) => typeof text === 'string'),
      defaultMessage: () => 'must be an object of texts',
    },
  });
}
