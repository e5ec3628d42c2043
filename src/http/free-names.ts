/** Fields by the class of their DTO. */
const marked = new Map<object, Set<string>>();
const NONE: ReadonlySet<string> = new Set();

/**
 * The caller chooses the names in this field: also such as `constructor`, which every object has. What reads them must ask for
 * a value's own fields.
 */
export const FreeNames = (): PropertyDecorator => (prototype, field) => {
  const fields = marked.get(prototype.constructor) ?? new Set();
  marked.set(prototype.constructor, fields.add(String(field)));
};

/** The fields of a DTO class that are marked so. */
export const freeNamesOf = (type: object | undefined): ReadonlySet<string> =>
  (type && marked.get(type)) ?? NONE;

/** Whether every object has something of this name, or a class has. */
export const isOfEveryObject = (name: string) => name in Object.prototype || name === 'prototype';

/**
 * The body with other names, as long and as many, instead of such as every object has: class-transformer and Nest would
 * leave those out, so that nobody looked at their values.
 * @param fields whose names are free
 */
export function disguised(body: unknown, fields: ReadonlySet<string>): unknown {
  if (!isObject(body)) return body;
  const others = Object.entries(freeFieldsOf(body, fields)).map(([field, value]) => [
    field,
    isObject(value) ? Object.fromEntries(Object.entries(value).map(disguise)) : value,
  ]);
  return { ...body, ...Object.fromEntries(others) };
}

/** No other name is the same: no text of a request has a NUL in it. */
const disguise = ([name, value]: [string, unknown]) => [
  isOfEveryObject(name) ? `\0${name.slice(1)}` : name,
  value,
];

/** Those of the fields that the body has, as they came. */
export function freeFieldsOf(body: unknown, fields: ReadonlySet<string>): Record<string, unknown> {
  if (!isObject(body)) return {};
  return Object.fromEntries(Object.entries(body).filter(([name]) => fields.has(name)));
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
