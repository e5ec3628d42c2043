import { findPlaceholders, type Placeholder } from './placeholders.js';

/** A text after a placeholder was put in. */
export interface TextWithPlaceholder {
  text: string;
  /** The position after the new placeholder. */
  caret: number;
  /** Its number, as in `body_samples`. */
  key: string;
}

/**
 * Puts a placeholder with the next number at the caret, which counts UTF-16 units as a text area does. If the caret is
 * within another placeholder, the new one comes after that.
 */
export function addPlaceholder(text: string, caret: number): TextWithPlaceholder {
  const placeholders = findPlaceholders(text);
  const numbers = placeholders.filter(({ isNumber }) => isNumber).map(({ key }) => Number(key));
  const key = String(Math.max(0, ...numbers) + 1);
  const around = placeholders.find(({ start, end }) => start < caret && caret < end);
  const at = around?.end ?? Math.min(Math.max(caret, 0), text.length);
  const placeholder = `{{${key}}}`;
  return { text: text.slice(0, at) + placeholder + text.slice(at), caret: at + placeholder.length, key };
}

/**
 * Closes gaps in the numbering, for example after a deletion. Numbers keep their order: {{3}} becomes {{2}} when there
 * is no {{2}} any more. `renamed` has the new number for each old one.
 */
export function renumber(text: string): { text: string; renamed: Record<string, string> } {
  const placeholders = findPlaceholders(text).filter(({ isNumber }) => isNumber);
  const numbers = [...new Set(placeholders.map(({ key }) => Number(key)))].toSorted((a, b) => a - b);
  const newKey = ({ key }: Placeholder) => String(numbers.indexOf(Number(key)) + 1);
  const parts = placeholders.map((placeholder, i) => {
    const before = text.slice(placeholders[i - 1]?.end ?? 0, placeholder.start);
    return `${before}{{${newKey(placeholder)}}}`;
  });
  return {
    text: parts.join('') + text.slice(placeholders.at(-1)?.end ?? 0),
    renamed: Object.fromEntries(placeholders.map((placeholder) => [placeholder.key, newKey(placeholder)])),
  };
}

/** The samples under their placeholders' new numbers; those of deleted placeholders go. */
export function moveSamples(
  samples: Record<string, string>,
  renamed: Record<string, string>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(renamed).flatMap(([before, after]) => {
      const sample = samples[before];
      return sample === undefined ? [] : [[after, sample]];
    }),
  );
}
