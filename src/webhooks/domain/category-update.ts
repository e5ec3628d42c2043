import { textOf, timeOf } from './wire-values.js';

/** What a `template_category_update` says: a change that will come, or one that has happened. */
export type CategoryUpdate =
  { kind: 'announced'; to: string; at: Date } | { kind: 'changed'; to: string } | { kind: 'unreadable' };

const CATEGORIES = new Set(['MARKETING', 'UTILITY', 'AUTHENTICATION']);

/** Milliseconds from a warning to the change, where it names no time. */
const NOTICE = 24 * 3_600_000;

/**
 * With `correct_category` the update is a warning, and `new_category` is the category that the template still has.
 * @param saidAt when the update was sent
 */
export function readCategoryUpdate(value: Record<string, unknown>, saidAt: Date): CategoryUpdate {
  const announced = value['correct_category'];
  const to = textOf(announced ?? value['new_category']).toUpperCase();
  if (!CATEGORIES.has(to)) return { kind: 'unreadable' };
  if (!announced) return { kind: 'changed', to };
  const at = timeOf(value['category_update_timestamp']) ?? new Date(saidAt.getTime() + NOTICE);
  return { kind: 'announced', to, at };
}
