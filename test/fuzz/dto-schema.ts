import { createRequire } from 'node:module';
import { getMetadataStorage } from 'class-validator';
import type { Schema } from './schema-arbitrary.js';

type ClassOf = new () => object;

interface TypeStorage {
  findTypeMetadata(target: unknown, property: string): { typeFunction(): ClassOf } | undefined;
}

/** class-transformer does not export its storage, but only this knows which class `@Type` names. */
const { defaultMetadataStorage: types } = createRequire(import.meta.url)(
  'class-transformer/cjs/storage.js',
) as {
  defaultMetadataStorage: TypeStorage;
};

interface Rule {
  name: string;
  constraints: unknown[];
  each: boolean;
}

/** The schema that stands for a decorator of class-validator. The others say nothing that a schema could say. */
const SCHEMAS: Record<string, (constraints: any[]) => Schema> = {
  isString: () => ({ type: 'string' }),
  isBoolean: () => ({ type: 'boolean' }),
  isInt: () => ({ type: 'integer' }),
  isNumber: () => ({ type: 'number' }),
  isArray: () => ({ type: 'array' }),
  isObject: () => ({ type: 'object', additionalProperties: true }),
  isTextMap: () => ({ type: 'object', additionalProperties: true }),
  isUuid: () => ({ type: 'string', format: 'uuid' }),
  isEmail: () => ({ type: 'string', format: 'email' }),
  isIsoDateTime: () => ({ type: 'string', format: 'date-time' }),
  isNotEmpty: () => ({ minLength: 1 }),
  minLength: ([least]) => ({ minLength: least }),
  maxLength: ([most]) => ({ type: 'string', maxLength: most }),
  min: ([least]) => ({ minimum: least }),
  max: ([most]) => ({ maximum: most }),
  arrayMaxSize: ([most]) => ({ type: 'array', maxItems: most }),
  isIn: ([values]) => ({ enum: [...values] }),
  equals: ([value]) => ({ enum: [value] }),
  // Without lookaheads, for which fast-check cannot make texts.
  matches: ([pattern]) => ({
    type: 'string',
    pattern: new RegExp(pattern).source.replace(/\(\?=[^)]*\)/, ''),
  }),
};

/** The schemas of DTO classes, by their decorators. */
export class ClassSchemas {
  /** The schemas that references within them stand for. */
  readonly definitions: Record<string, Schema> = {};
  private readonly names = new Map<Function, string>();

  of(type: Function): Schema {
    let name = this.names.get(type);
    if (name === undefined) {
      this.names.set(type, (name = `${type.name}-${this.names.size}`)); // before its fields, which may be of it
      this.definitions[name] = this.read(type);
    }
    return this.definitions[name] ?? { $ref: name };
  }

  private read(type: Function): Schema {
    const metadata = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
    const names = [...new Set(metadata.map(({ propertyName }) => propertyName))];
    const defaults = new (type as ClassOf)() as Record<string, unknown>;
    const properties: Record<string, Schema> = {};
    const required: string[] = [];
    for (const property of names) {
      const own = metadata.filter(({ propertyName }) => propertyName === property);
      const rules = own.map(({ name = '', constraints, each }) => ({
        name,
        constraints: constraints ?? [],
        each,
      }));
      properties[property] = this.field(rules, types.findTypeMetadata(type, property)?.typeFunction());
      // A field that is checked under a condition may be missing.
      const isConditional = own.some(({ type: kind }) => kind === 'conditionalValidation');
      if (!isConditional && defaults[property] === undefined) required.push(property);
    }
    return { type: 'object', properties, required, additionalProperties: false };
  }

  private field(rules: Rule[], nested: ClassOf | undefined): Schema {
    const whole = merged(rules.filter(({ each }) => !each));
    const isList = whole.type === 'array' || rules.some(({ each }) => each);
    const isClass = nested !== undefined && !([Number, String, Boolean] as Function[]).includes(nested);
    const item = isClass ? this.of(nested) : merged(rules.filter(({ each }) => each));
    if (isList) return { ...whole, type: 'array', items: item };
    if (isClass) return item;
    return Object.keys(whole).length > 0 ? whole : { type: 'string' };
  }
}

function merged(rules: Rule[]): Schema {
  const schemas = rules.map(({ name, constraints }) => SCHEMAS[name]?.(constraints) ?? {});
  return Object.assign({}, ...schemas) as Schema;
}
