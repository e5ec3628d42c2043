import { Decimal } from 'decimal.js';
import { ApiError, type ErrorDetail } from '../../common/errors.js';
import type { TemplateCategory } from '../../provider/wire.js';

/*
 * The conditions under which a caller wants a message. They are judged when it is accepted, and again when it is claimed:
 * by then it may be late, and its price, its template or the template's category may be others.
 */

/** What the template has to be; what is missing may be anything. */
export interface Expectation {
  category?: TemplateCategory;
  /** The version of its content (template-version.ts). */
  template_version?: string;
}

/** VALID_UNTIL_IN_PAST for a message that would be due when nobody wants it any more. */
export function validityFault(validUntil: Date, dueAt: Date): ApiError | null {
  if (validUntil > dueAt) return null;
  const message = 'valid_until must be after the time at which the message is due.';
  return new ApiError('VALID_UNTIL_IN_PAST', message, [
    { field: 'valid_until', message, due_at: dueAt.toISOString() },
  ]);
}

/** Whether nobody wants the message any more. */
export function isOver({ valid_until: validUntil }: { valid_until: Date | null }, now: Date): boolean {
  return validUntil !== null && validUntil <= now;
}

/** What the column of a message's max_cost holds at most, and its places. */
const MOST_KEPT = new Decimal('99999999.999999');
const PLACES_KEPT = 6;

/**
 * A max_cost as it is kept. Prices have six places at most: so the same ones are above it.
 * @param maxCost a decimal of 0 or more, of any size
 */
export function keptMaxCost(maxCost: number | string): string {
  const kept = Decimal.min(maxCost, MOST_KEPT).abs(); // -0 is a number too
  return kept.toFixed(PLACES_KEPT, Decimal.ROUND_DOWN);
}

/**
 * COST_ABOVE_MAX for a message that costs more than it may.
 * @param maxCost a decimal, in the currency of the price
 */
export function costFault(
  maxCost: number | string,
  { cost, currency }: { cost: string; currency: string },
): ApiError | null {
  if (new Decimal(cost).lte(maxCost)) return null;
  const [most, actual] = [new Decimal(maxCost), new Decimal(cost)];
  return new ApiError(
    'COST_ABOVE_MAX',
    `The message costs ${actual.toFixed()} ${currency}, more than its max_cost of ${most.toFixed()}.`,
    [{ field: 'max_cost', expected: most.toNumber(), actual: actual.toNumber(), currency }],
  );
}

/** EXPECTATION_FAILED for a template that is not what the caller takes it for. */
export function expectationFault(
  { category, template_version: version }: Expectation,
  template: { name: string; category: TemplateCategory; version: string },
): ApiError | null {
  const details: ErrorDetail[] = [];
  const compare = (name: keyof Expectation, expected: string | undefined, actual: string) => {
    if (expected != null && expected !== actual) details.push({ field: `expect.${name}`, expected, actual });
  };
  compare('category', category, template.category);
  compare('template_version', version, template.version);
  if (details.length === 0) return null;
  const what = details.length > 1 ? 'another category and other content' : WHAT[details[0]?.field ?? ''];
  return new ApiError('EXPECTATION_FAILED', `Template ${template.name} has ${what} than expected.`, details);
}

const WHAT: Record<string, string> = {
  'expect.category': 'another category',
  'expect.template_version': 'other content',
};
