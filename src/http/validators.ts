import { applyDecorators } from '@nestjs/common';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsInt,
  IsObject,
  Matches,
  Max,
  Min,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';

type ClassOf = () => new () => object;

/** The field may be missing. Other than with `IsOptional`, null is no way to leave it out. */
export const MayBeMissing = () => ValidateIf((_object, value) => value !== undefined);

/** A JSON object of the class's shape. */
export const NestedObject = (type: ClassOf) => applyDecorators(IsObject(), ValidateNested(), Type(type));

/** An array of at most `max` JSON objects of the class's shape; an array within it is a fault. */
export const NestedObjects = (type: ClassOf, max: number) =>
  applyDecorators(
    IsArray(),
    ArrayMaxSize(max),
    IsObject({ each: true }),
    ValidateNested({ each: true }),
    Type(type),
  );

/** What a column of the type integer holds at most. */
export const LARGEST_INTEGER = 2_147_483_647;

/** A whole number from `min` that a column of the type integer can hold. */
export const IsInteger = (min: number, max = LARGEST_INTEGER) => applyDecorators(IsInt(), Min(min), Max(max));

/** A number, or text that is one, without regard to its sign at most `most`: the provider takes both. */
export const IsNumeric = (pattern: RegExp, meaning: string, most = Infinity) =>
  ValidateBy({
    name: 'isNumeric',
    validator: {
      validate: (value) =>
        (typeof value === 'number' || typeof value === 'string') &&
        pattern.test(String(value)) &&
        Math.abs(Number(value)) <= most,
      defaultMessage: (fault) => `${fault?.property} must be ${meaning}`,
    },
  });

/** An id that the provider has given: tells a typing error from one without knowing them, which are digits today. */
export const IsProviderId = () =>
  Matches(/^[\w.-]{1,64}$/, { message: "$property must be the provider's id" });

/** What people read; not blank. */
export const IsLabel = () =>
  Matches(/^(?=.*\S)[^\p{Cc}]{1,200}$/u, { message: '$property must be text of 1 to 200 characters' });

/** What a header of HTTP can carry. */
export const IsAccessToken = () =>
  Matches(/^[\x21-\x7e]{1,4096}$/, { message: '$property must be visible ASCII characters' });

export const IsAppSecret = () =>
  Matches(/^[\x20-\x7e]{1,4096}$/, { message: '$property must be ASCII characters' });
