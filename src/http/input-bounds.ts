import { ApiError } from '../common/errors.js';
import { isOfEveryObject } from './free-names.js';

/** Objects and arrays within each other; the deepest documented body has eight. */
const MAX_DEPTH = 32;

/** Values in one request: far above what the largest documented body needs. */
const MAX_VALUES = 20_000;

/**
 * Refuses values of a request that are only there to be expensive, text that PostgreSQL cannot keep (a NUL character or
 * half of a surrogate pair), and names that every object has: class-transformer drops those, so that the check for
 * unknown fields would not see them. Raw bytes pass: whoever takes these says how many.
 * @param input a body, a query, or parameters of a path
 * @param at the name of the parameter, where it is a single one
 * @param free fields in which such names may be, but for `__proto__`, which an assignment would not copy
 * @throws ApiError VALIDATION_FAILED
 */
export function checkInputBounds(input: unknown, at = '', free: ReadonlySet<string> = new Set()): void {
  let values = 0;
  const visit = (value: unknown, path: string, depth: number): void => {
    values += 1;
    if (values > MAX_VALUES)
      throw new ApiError('VALIDATION_FAILED', `The request has more than ${MAX_VALUES} values.`);
    if (typeof value === 'string') checkText(value, path);
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return;
    if (depth === MAX_DEPTH) {
      throw new ApiError('VALIDATION_FAILED', `The request is nested deeper than ${MAX_DEPTH} levels.`);
    }
    for (const [name, child] of Object.entries(value)) {
      checkText(name, path);
      const field = Array.isArray(value) ? `${path}[${name}]` : path && name ? `${path}.${name}` : name;
      if (name === '__proto__' || !free.has(path)) checkName(name, field);
      visit(child, field, depth + 1);
    }
  };
  visit(input, at, 0);
}

function checkText(text: string, field: string): void {
  if (!text.includes('\0') && text.isWellFormed()) return;
  throw new ApiError('VALIDATION_FAILED', 'A text has a NUL character or half of a surrogate pair in it.', [
    { field },
  ]);
}

function checkName(name: string, field: string): void {
  if (!isOfEveryObject(name)) return;
  const message = `property ${name} should not exist`;
  throw new ApiError('VALIDATION_FAILED', `${field}: ${message}.`, [{ field, message }]);
}
