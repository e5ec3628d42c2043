import { moveSamples, renumber } from '../../../../src/templates/domain/draft-placeholders';
import { findPlaceholders } from '../../../../src/templates/domain/placeholders';
import type { TemplateDraft } from './types';

/** The draft with the typed body: numbers have no gap, samples move with their numbers, the caret is in its place. */
export function typeBody(
  draft: TemplateDraft,
  typed: string,
  caret: number,
): { draft: TemplateDraft; caret: number } {
  if (draft.parameter_format === 'NAMED') return { draft: { ...draft, body: typed }, caret };
  const { text: body, renamed } = renumber(typed);
  const shift = findPlaceholders(typed)
    .filter(({ end, isNumber }) => isNumber && end <= caret)
    .reduce((sum, { key, start, end }) => sum + `{{${renamed[key] ?? key}}}`.length - (end - start), 0);
  return {
    draft: { ...draft, body, body_samples: moveSamples(draft.body_samples, renamed) },
    caret: caret + shift,
  };
}

/** The variable of which Backspace or Delete would remove a part; it should be removed as a whole. */
export function variableToDelete(
  text: string,
  caret: number,
  key: string,
): { start: number; end: number } | null {
  const isHit = ({ start, end }: { start: number; end: number }) =>
    key === 'Backspace' ? start < caret && caret <= end : start <= caret && caret < end;
  return findPlaceholders(text).find(isHit) ?? null;
}

/** A name that no variable of the text has yet, for texts whose variables have names. */
export function nextName(text: string): string {
  const names = new Set(findPlaceholders(text).map(({ key }) => key));
  let number = names.size + 1;
  while (names.has(`variable_${number}`)) number += 1;
  return `variable_${number}`;
}
