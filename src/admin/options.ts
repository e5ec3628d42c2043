import { plainToInstance } from 'class-transformer';
import { IsUUID, ValidateBy, type ValidationOptions, validateSync } from 'class-validator';
import { ApiError } from '../common/errors.js';
import { parseIsoDateTime } from '../messages/schedule/iso-date-time.js';
import { normalizePhone } from '../recipients/domain/phone.js';

const DAY = /^\d{4}-\d\d-\d\d$/;

/**
 * A command's options, checked by the decorators of their class.
 * @throws ApiError VALIDATION_FAILED with one detail for each fault, none with a value in it
 */
export function checkOptions<Options extends object>(given: object, type?: new () => Options): Options {
  if (!type) return given as Options;
  const options = plainToInstance(type, given, { exposeDefaultValues: true });
  const faults = validateSync(options, { stopAtFirstError: true, validationError: { value: false } });
  if (faults.length === 0) return options;
  const details = faults.map(({ property, constraints }) => {
    const field = flagOf(property);
    const [message = 'is not valid'] = Object.values(constraints ?? {});
    return { field, message: message.replace(new RegExp(`^${property}(?= )`), field) };
  });
  throw new ApiError('VALIDATION_FAILED', details.map(({ message }) => `${message}.`).join(' '), details);
}

/** `wabaId` as it is typed: `--waba-id`. */
function flagOf(property: string): string {
  return `--${property.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The id of a row of ours. */
export const IsId = (of: string) => IsUUID('all', { message: `$property must be the uuid of ${of}` });

/** A phone number, as {@link normalizePhone} reads it. */
export const IsPhone = () =>
  ValidateBy({
    name: 'isPhone',
    validator: {
      validate: (value) => typeof value === 'string' && isPhone(value),
      defaultMessage: (fault) => `${fault?.property} must be an international number, such as +971501234567`,
    },
  });

function isPhone(text: string): boolean {
  try {
    return normalizePhone(text).digits !== '';
  } catch {
    return false;
  }
}

/** A point in time, as {@link instantOf} reads it. */
export const IsInstant = (options?: ValidationOptions) =>
  ValidateBy(
    {
      name: 'isInstant',
      validator: {
        validate: (value) => typeof value === 'string' && instantOf(value) !== null,
        defaultMessage: (fault) =>
          `${fault?.property} must be a day or a time with its offset, such as 2026-01-01 or 2026-01-01T00:00:00Z`,
      },
    },
    options,
  );

/** An ISO 8601 time with `Z` or an offset, or a day, which begins at midnight UTC; null when it is neither. */
export function instantOf(text: string): Date | null {
  const time = parseIsoDateTime(DAY.test(text) ? `${text}T00:00Z` : text);
  return time && 'instant' in time ? new Date(time.instant.epochMilliseconds) : null;
}
