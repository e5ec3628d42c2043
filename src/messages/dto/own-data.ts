import { applyDecorators } from '@nestjs/common';
import { Matches, ValidateBy } from 'class-validator';
import { FreeNames } from '../../http/free-names.js';

/* The shapes of what callers put on a message for themselves. */

/** Visible: no blanks, no control and no format characters. */
const REFERENCE = /^[^\s\p{Cc}\p{Cf}]{1,128}$/u;

const MOST_KEYS = 20;
const KEY_LENGTH = 40;
const VALUE_LENGTH = 200;

/** For the API's document. */
export const REFERENCE_SCHEMA = {
  type: String,
  minLength: 1,
  maxLength: 128,
  pattern: REFERENCE.source,
} as const;

/** The same. */
export const METADATA_SCHEMA = {
  type: 'object',
  maxProperties: MOST_KEYS,
  additionalProperties: { type: 'string', maxLength: VALUE_LENGTH },
  description: `At most ${MOST_KEYS} texts of ${VALUE_LENGTH} characters, by names of 1 to ${KEY_LENGTH}.`,
} as const;

/** The caller's own id of something. */
export const IsReference = () =>
  Matches(REFERENCE, { message: '$property must be 1 to 128 visible characters' });

/** The caller's own data. */
export const IsMetadata = () =>
  applyDecorators(
    FreeNames(),
    ValidateBy({
      name: 'isMetadata',
      validator: {
        validate: (value) => isMetadata(value),
        defaultMessage: (fault) =>
          `${fault?.property} must be an object of at most ${MOST_KEYS} texts of up to ${VALUE_LENGTH} characters, ` +
          `with names of 1 to ${KEY_LENGTH}`,
      },
    }),
  );

function isMetadata(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  return (
    entries.length <= MOST_KEYS &&
    entries.every(
      ([name, text]) =>
        name !== '' &&
        lengthOf(name) <= KEY_LENGTH &&
        typeof text === 'string' &&
        lengthOf(text) <= VALUE_LENGTH,
    )
  );
}

/** In characters, as JSON Schema counts them. */
function lengthOf(text: string): number {
  return text.length <= KEY_LENGTH ? text.length : [...text].length;
}
