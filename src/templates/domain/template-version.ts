import { createHash } from 'node:crypto';
import type { WireTemplateComponent } from '../../provider/wire.js';

/** Hexadecimal digits: two contents of one template do not meet by chance. */
const LENGTH = 32;

/**
 * Stands for what a template says and takes. It stays the same while its texts, buttons and placeholders do, on every
 * account and whatever the order of fields. Name, language, category and status have no part in it, nor have samples:
 * the provider lists these with addresses that change.
 */
export function templateVersion(components: WireTemplateComponent[], parameterFormat: string): string {
  const said = JSON.stringify([parameterFormat, canonical(components)]);
  return createHash('sha256').update(said).digest('hex').slice(0, LENGTH);
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .filter(([name]) => name !== 'example')
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => [name, canonical(field)]);
}
