import fc from 'fast-check';

/** JSON schema, as far as openapi.json and our DTO classes use it. */
export interface Schema {
  $ref?: string;
  allOf?: Schema[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  type?: string | string[];
  enum?: unknown[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  maxProperties?: number;
}

/** Keywords that do not restrict values. */
const NOTES = 'description example examples default title'.split(' ');
const RULES = (
  '$ref allOf oneOf anyOf type enum format pattern minLength maxLength minimum maximum minItems maxItems uniqueItems items ' +
  'properties required additionalProperties maxProperties'
).split(' ');
const KNOWN = new Set([...NOTES, ...RULES]);

/** The length of generated texts and lists; longer ones come from broken.ts. */
const USUAL_LENGTH = 24;
const USUAL_ITEMS = 2;
/** The level below which optional fields are left out, as a schema may contain itself. */
const DEEPEST = 7;

/** Values for fields by name, where a schema cannot tell them: existing ids, names of templates. */
export type Hints = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** Values that fit a schema. */
export class SchemaArbitraries {
  /** @param definitions what `#/components/schemas/…` stand for */
  constructor(
    private readonly definitions: Record<string, Schema>,
    private readonly hints: Hints,
  ) {}

  /** @throws Error for a keyword that it does not know, as values by that keyword would never be tested */
  of(schema: Schema, depth = 0): fc.Arbitrary<unknown> {
    const unknown = Object.keys(schema).find((keyword) => !KNOWN.has(keyword));
    if (unknown !== undefined) throw new Error(`The keyword ${unknown} of a schema is not known`);
    if (schema.$ref !== undefined) return this.of(this.resolve(schema.$ref), depth);
    const [only, ...others] = schema.allOf ?? [];
    if (only && others.length === 0) return this.of(only, depth);
    const choices = schema.oneOf ?? schema.anyOf;
    if (choices) return fc.oneof(...choices.map((choice) => this.of(choice, depth)));
    if (schema.enum) return fc.constantFrom(...schema.enum);
    const types = [schema.type ?? 'object'].flat();
    return fc.oneof(...types.map((type) => this.ofType(type, schema, depth)));
  }

  private resolve(reference: string): Schema {
    const found = this.definitions[reference.split('/').at(-1) ?? ''];
    if (!found) throw new Error(`There is no schema ${reference}`);
    return found;
  }

  private ofType(type: string, schema: Schema, depth: number): fc.Arbitrary<unknown> {
    const { minimum, maximum } = schema;
    switch (type) {
      case 'null':
        return fc.constant(null);
      case 'boolean':
        return fc.boolean();
      case 'integer':
        return fc.integer({ min: minimum ?? -1_000, max: Math.min(maximum ?? 10_000, 2 ** 31 - 1) });
      case 'number':
        return fc.double({ min: minimum ?? -1e6, max: maximum ?? 1e6, noNaN: true });
      case 'string':
        return textOf(schema);
      case 'array':
        return this.listOf(schema, depth);
      default:
        return this.objectOf(schema, depth);
    }
  }

  private listOf({ items = {}, minItems = 0, maxItems = USUAL_ITEMS, uniqueItems }: Schema, depth: number) {
    if (depth > DEEPEST) return fc.constant([]);
    const maxLength = Math.max(minItems, Math.min(maxItems, USUAL_ITEMS));
    const lengths = { minLength: minItems, maxLength };
    const item = this.of(items, depth + 1);
    return uniqueItems ? fc.uniqueArray(item, lengths) : fc.array(item, lengths);
  }

  private objectOf(schema: Schema, depth: number): fc.Arbitrary<unknown> {
    const { properties, required = [], additionalProperties: others = false, maxProperties = 3 } = schema;
    if (!properties && others === false) return fc.constant({});
    if (!properties) {
      const value = others === true ? fc.jsonValue({ maxDepth: 2 }) : this.of(others as Schema, depth + 1);
      return fc.dictionary(fc.string({ maxLength: 8 }), value, { maxKeys: Math.min(3, maxProperties) });
    }
    const names = Object.keys(properties).filter((name) => depth < DEEPEST || required.includes(name));
    const fields = names.map((name) => [name, this.field(name, properties[name] ?? {}, depth)] as const);
    return fc.record(Object.fromEntries(fields), { requiredKeys: required, noNullPrototype: true });
  }

  private field(name: string, schema: Schema, depth: number): fc.Arbitrary<unknown> {
    const hint = Object.hasOwn(this.hints, name) ? this.hints[name] : undefined;
    return hint ?? this.of(schema, depth + 1);
  }
}

function textOf({ format, pattern, minLength = 0, maxLength = USUAL_LENGTH }: Schema): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.uuid();
  if (format === 'uri') return fc.webUrl();
  if (format === 'email') return fc.emailAddress();
  if (format === 'date-time') return someTime;
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern, 'u'));
  const most = Math.max(minLength, Math.min(maxLength, USUAL_LENGTH));
  return fc.string({ unit: 'grapheme', minLength, maxLength: most });
}

const someTime = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
