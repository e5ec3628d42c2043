/** The text with U+FFFD for what PostgreSQL cannot store: NUL, and halves of surrogate pairs. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '\u{fffd}').toWellFormed();
}
