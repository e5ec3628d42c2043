import { applyDecorators } from '@nestjs/common';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsObject, ValidateBy, ValidateNested } from 'class-validator';

type ClassOf = () => new () => object;

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

/** A number, or text that is one: the provider takes both. */
export const IsNumeric = (pattern: RegExp, meaning: string) =>
  ValidateBy({
    name: 'isNumeric',
    validator: {
      validate: (value) =>
        (typeof value === 'number' || typeof value === 'string') && pattern.test(String(value)),
      defaultMessage: (fault) => `${fault?.property} must be ${meaning}`,
    },
  });
