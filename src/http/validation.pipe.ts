import { type ArgumentMetadata, Injectable, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { CompiledValidation } from './compiled-validation.js';
import { ApiError, type ErrorDetail } from '../common/errors.js';
import { disguised, freeFieldsOf, freeNamesOf } from './free-names.js';
import { checkInputBounds } from './input-bounds.js';

/** Faults listed in one answer at most. */
export const MAX_DETAILS = 50;

/** What comes with a request; everything else that a handler takes was made by ourselves. */
const FROM_CALLER: ReadonlySet<ArgumentMetadata['type']> = new Set(['body', 'query', 'param']);

/**
 * Checks all that a handler takes of a request: that it can be kept at all and, where it has a DTO class, by that. An
 * unknown field is a fault, so that a misspelt one is noticed.
 */
@Injectable()
export class RequestValidationPipe extends ValidationPipe {
  /** @throws Error when a class that is to be compiled has a rule that cannot be */
  constructor() {
    super({
      transform: true,
      whitelist: true,
      forbidNonWhitelisted: true,
      validationError: { target: false, value: false },
      exceptionFactory: (errors) => toApiError(errors),
    });
    CompiledValidation.compileMarked();
  }

  /** What is sent most is read by compiled rules; class-validator looks at what these do not accept, and says why. */
  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (!FROM_CALLER.has(metadata.type)) return value;
    const { metatype } = metadata;
    const free = freeNamesOf(metatype);
    checkInputBounds(value, metadata.data, free);
    const compiled = metatype ? CompiledValidation.find(metatype) : null;
    const body = compiled?.read(value);
    if (body) return body;
    if (free.size === 0) return super.transform(value, metadata);
    const checked: unknown = await super.transform(disguised(value, free), metadata);
    return Object.assign(checked as object, freeFieldsOf(value, free));
  }
}

const toApiError = (errors: ValidationError[]) =>
  validationFailed(errors.flatMap((error) => toDetails(error, '')));

/** @param details one for each fault, in the order in which they are told */
export function validationFailed(details: ErrorDetail[]): ApiError {
  const [first] = details;
  const rest = details.length > 1 ? ` (and ${details.length - 1} more)` : '';
  const message = first ? `${first.field}: ${String(first['message'])}${rest}.` : 'The request is malformed.';
  return new ApiError('VALIDATION_FAILED', message, details.slice(0, MAX_DETAILS));
}

/** One detail for each fault, with its JSON path. */
function toDetails(error: ValidationError, parent: string): ErrorDetail[] {
  const field = joinPath(parent, error.property);
  // Decorators run from the bottom up: the last fault is that of the one that stands first, which asks for the type.
  const message = Object.values(error.constraints ?? {}).at(-1);
  const own = message === undefined ? [] : [{ field, message }];
  return [...own, ...(error.children ?? []).flatMap((child) => toDetails(child, field))];
}

function joinPath(parent: string, name: string): string {
  if (parent === '') return name;
  return /^\d+$/.test(name) ? `${parent}[${name}]` : `${parent}.${name}`;
}
