import { findPlaceholders, type Placeholder } from './placeholders.js';

/** A text after a placeholder was put in. */
export interface TextWithPlaceholder {
  text: string;
  /** Behind the new placeholder. */
  caret: number;
  /** Its number, as in `body_samples`. */
  key: string;
}

/**
 * Puts the next number's placeholder at the caret, in UTF-16 units as a text area counts. Within another placeholder
 * it goes behind that one.
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
 * Closes the gaps in the numbering, as after a deletion: the numbers keep their order, so that {{3}} becomes {{2}}
 * where there is no {{2}} any more. `renamed` says for each number that stood in the text what it is now.
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
