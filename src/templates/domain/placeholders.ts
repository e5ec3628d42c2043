export type ParameterFormat = 'POSITIONAL' | 'NAMED';

/** `{{1}}`, `{{12}}`, `{{order_id}}`; blanks within the braces are tolerated. */
const PLACEHOLDER = /\{\{\s*(?:(\d{1,4})|([A-Za-z_]\w{0,99}))\s*\}\}/g;

/** A placeholder where it stands: `start` inclusive and `end` exclusive, in UTF-16 units as JavaScript counts. */
export interface Placeholder {
  /** What stands within the braces, as written: `1`, `01`, `order_id`. */
  key: string;
  isNumber: boolean;
  start: number;
  end: number;
}

/** Every placeholder of a text in order, repeated ones too. */
export function findPlaceholders(text: string): Placeholder[] {
  return [...text.matchAll(PLACEHOLDER)].map(({ 0: whole, 1: number, 2: name, index }) => ({
    key: number ?? name ?? '',
    isNumber: number !== undefined,
    start: index,
    end: index + whole.length,
  }));
}

function found(text: string): { numbers: number[]; names: string[] } {
  const placeholders = findPlaceholders(text);
  return {
    numbers: placeholders.filter(({ isNumber }) => isNumber).map(({ key }) => Number(key)),
    names: [...new Set(placeholders.filter(({ isNumber }) => !isNumber).map(({ key }) => key))],
  };
}

/** Whether the text has named placeholders and no numbered ones. */
export function looksNamed(text: string): boolean {
  const { numbers, names } = found(text);
  return names.length > 0 && numbers.length === 0;
}

/** Whether a button's URL takes a variable, of either form: it is `{{1}}` in named templates too. */
export function hasPlaceholder(text: string): boolean {
  const { numbers, names } = found(text);
  return numbers.length + names.length > 0;
}

/**
 * The parameters a text takes, each once: names in the order they first appear, or `1`, `2`, … up to the highest
 * number. The provider allows no gap; should one be stored, the highest number counts, since parameters are
 * supplied by position and the last one must be reached.
 */
export function placeholdersOf(text: string | null, format: ParameterFormat): string[] {
  if (text === null) return [];
  const { numbers, names } = found(text);
  if (format === 'NAMED') return names;
  return Array.from({ length: Math.max(0, ...numbers) }, (_, index) => String(index + 1));
}

/** The text with the values put in; a placeholder whose value is empty stays. */
export function fillIn(text: string, values: Record<string, string> = {}): string {
  const placeholders = findPlaceholders(text);
  const parts = placeholders.map(({ key, start, end }, i) => {
    const before = text.slice(placeholders[i - 1]?.end ?? 0, start);
    return before + (values[key] || text.slice(start, end));
  });
  return parts.join('') + text.slice(placeholders.at(-1)?.end ?? 0);
}
