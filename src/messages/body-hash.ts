import { createHash } from 'node:crypto';

/** Objects and arrays within each other that count: deeper ones are in no body that is accepted. */
const MOST_LEVELS = 40;

/** SHA-256 in hex: the same for two bodies that say the same, whatever the order of their fields. */
export function hashOf(body: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(body, 0)))
    .digest('hex');
}

function sorted(value: unknown, level: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (level === MOST_LEVELS) return null;
  if (Array.isArray(value)) return value.map((each) => sorted(each, level + 1));
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, field]) => [name, sorted(field, level + 1)]),
  );
}
