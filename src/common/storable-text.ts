/** The text with U+FFFD for what PostgreSQL cannot store: NUL, and halves of surrogate pairs. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '\u{fffd}').toWellFormed();
}

/** A value as JSON.parse returns it, with all texts and names in it made storable. */
export function storableValue(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(storableValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, child]) => [storableText(name), storableValue(child)]),
  );
}
