import { createRequire } from 'node:module';
import { getMetadataStorage } from 'class-validator';
import type { defaultMetadataStorage } from 'class-transformer/types/storage.js';

// The library exports it only in this build, which has no types.
const transformer = createRequire(import.meta.url)('class-transformer/cjs/storage.js') as {
  defaultMetadataStorage: typeof defaultMetadataStorage;
};

/** The names of a DTO class's checked properties. */
export function propertiesOf(type: Function): string[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  return [...new Set(rules.map(({ propertyName }) => propertyName))];
}

/** The class, and all classes of objects within it. */
export function withNested(type: Function, known = new Set<Function>()): Set<Function> {
  if (known.has(type)) return known;
  known.add(type);
  for (const property of propertiesOf(type)) {
    const nested = transformer.defaultMetadataStorage.findTypeMetadata(type, property)?.typeFunction();
    if (nested) withNested(nested, known);
  }
  return known;
}
