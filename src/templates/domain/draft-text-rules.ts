import { draftError, draftWarning, type DraftFault } from './draft-faults.js';
import { findPlaceholders, type ParameterFormat, type Placeholder } from './placeholders.js';
import { characters } from './template-draft.js';

const hasLineBreak = (text: string) => /[\r\n]/.test(text.trim());

/** The text with `filler` in place of its placeholders. */
function withoutPlaceholders(text: string, placeholders: Placeholder[], filler: string): string {
  const ends = [0, ...placeholders.map(({ end }) => end)];
  const starts = [...placeholders.map(({ start }) => start), text.length];
  return starts.map((start, i) => text.slice(ends[i], start)).join(filler);
}

export function lengthFaults(field: string, text: string, max: number): DraftFault[] {
  const actual = characters(text);
  return actual > max ? [draftError(field, 'too_long', { max, actual })] : [];
}

/** A required text of limited length. */
export function requiredTextFaults(field: string, text: string, max: number): DraftFault[] {
  return text.trim() === '' ? [draftError(field, 'required')] : lengthFaults(field, text, max);
}

/** A single line without placeholders: a footer, a label. */
export function plainLineFaults(field: string, text: string): DraftFault[] {
  return [
    ...(hasLineBreak(text) ? [draftError(field, 'one_line')] : []),
    ...(text.includes('{{') ? [draftError(field, 'no_placeholders')] : []),
  ];
}

/** Placeholders as the format wants them: numbers from 1 without a gap, or lower-case names. */
export function placeholderFaults(field: string, text: string, format: ParameterFormat): DraftFault[] {
  const placeholders = findPlaceholders(text);
  const rest = withoutPlaceholders(text, placeholders, ' ');
  const example = format === 'NAMED' ? '{{order_id}}' : '{{1}}';
  return [
    ...(/\{\{|\}\}/.test(rest) ? [draftError(field, 'placeholder_malformed', { example })] : []),
    ...(format === 'NAMED' ? nameFaults(field, placeholders) : numberFaults(field, placeholders)),
  ];
}

function nameFaults(field: string, placeholders: Placeholder[]): DraftFault[] {
  const wrong = placeholders.find(({ key }) => !/^[a-z][a-z0-9_]*$/.test(key));
  return wrong ? [draftError(field, 'placeholder_name', { key: wrong.key })] : [];
}

function numberFaults(field: string, placeholders: Placeholder[]): DraftFault[] {
  const named = placeholders.find(({ isNumber }) => !isNumber);
  if (named) return [draftError(field, 'placeholder_not_numbered', { key: named.key })];
  const odd = placeholders.find(({ key }) => key.startsWith('0'));
  if (odd) return [draftError(field, 'placeholder_malformed', { example: '{{1}}' })];
  const used = new Set(placeholders.map(({ key }) => Number(key)));
  const missing = [...used].map((_, i) => i + 1).find((number) => !used.has(number));
  return missing === undefined ? [] : [draftError(field, 'placeholder_gap', { key: missing })];
}

/** Where placeholders of a body must not stand: at its start, at its end, side by side. */
export function positionFaults(field: string, body: string): DraftFault[] {
  const text = body.trim();
  const placeholders = findPlaceholders(text);
  const adjacent = placeholders.findIndex(({ end }, i) => {
    const next = placeholders[i + 1];
    return next !== undefined && text.slice(end, next.start).trim() === '';
  });
  const [first, second] = [placeholders[adjacent]?.key ?? '', placeholders[adjacent + 1]?.key ?? ''];
  return [
    ...(placeholders[0]?.start === 0 ? [draftError(field, 'placeholder_at_start')] : []),
    ...(placeholders.at(-1)?.end === text.length ? [draftError(field, 'placeholder_at_end')] : []),
    ...(adjacent >= 0 ? [draftError(field, 'placeholders_adjacent', { first, second })] : []),
  ];
}

/** Warnings of rules that the provider does not publish exactly. */
export function bodyWarnings(field: string, body: string): DraftFault[] {
  const placeholders = findPlaceholders(body);
  const words = withoutPlaceholders(body, placeholders, ' ')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  // In languages without spaces between words, counting by spaces gives far too few words.
  const length = Math.max(words.length, Math.floor(words.join('').length / 6));
  const isCrowded = placeholders.length > 0 && length < 2 * placeholders.length + 1;
  return [
    ...(/\n[^\S\n]*\n[^\S\n]*\n/.test(body.trim()) ? [draftWarning(field, 'many_newlines')] : []),
    ...(isCrowded ? [draftWarning(field, 'many_placeholders')] : []),
  ];
}

/** A text header: one line with at most one placeholder. */
export function headerTextFaults(
  field: string,
  text: string,
  max: number,
  format: ParameterFormat,
): DraftFault[] {
  const actual = new Set(findPlaceholders(text).map(({ key }) => key)).size;
  return [
    ...(hasLineBreak(text) ? [draftError(field, 'one_line')] : []),
    ...(actual > max ? [draftError(field, 'too_many_placeholders', { max, actual })] : []),
    ...placeholderFaults(field, text, format),
    ...(/[*~`]|\p{Emoji_Presentation}/u.test(text) ? [draftWarning(field, 'header_plain')] : []),
  ];
}
