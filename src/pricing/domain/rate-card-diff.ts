import { Decimal } from 'decimal.js';
import type { RateCardRow, RateCategory } from './rate-card.js';

/** A rate in two cards, before and after; null where a card has none. */
export interface RateDifference {
  market: string;
  category: RateCategory;
  /** What a message costs, as in `0.0300`, and in which currency. */
  before: Price | null;
  after: Price | null;
  /** By how many percent the price rises, with one decimal place; null where that cannot be said. */
  percent: string | null;
}

interface Price {
  amount: string;
  currency: string;
}

/** What a new card changes; rates that stay the same are only counted. */
export interface RateCardDiff {
  added: RateDifference[];
  removed: RateDifference[];
  changed: RateDifference[];
  unchanged: number;
}

/** Compares the card in force with one that is to replace it, each by market and category. */
export function compareRateCards(
  before: readonly RateCardRow[],
  after: readonly RateCardRow[],
): RateCardDiff {
  const [old, fresh] = [byKey(before), byKey(after)];
  const differences = [...new Set([...old.keys(), ...fresh.keys()])].map((key) =>
    difference(old.get(key), fresh.get(key)),
  );
  const rates = differences.filter((rate) => !isSame(rate));
  return {
    added: rates.filter((rate) => rate.before === null),
    removed: rates.filter((rate) => rate.after === null),
    changed: rates.filter((rate) => rate.before !== null && rate.after !== null),
    unchanged: differences.length - rates.length,
  };
}

function byKey(rates: readonly RateCardRow[]): Map<string, RateCardRow> {
  return new Map(rates.map((rate) => [`${rate.market}|${rate.category}`, rate]));
}

function difference(before: RateCardRow | undefined, after: RateCardRow | undefined): RateDifference {
  const { market, category } = (after ?? before) as RateCardRow;
  return {
    market,
    category,
    before: priceOf(before),
    after: priceOf(after),
    percent: percent(before, after),
  };
}

function priceOf(rate: RateCardRow | undefined): Price | null {
  return rate ? { amount: rate.amount, currency: rate.currency } : null;
}

function isSame({ before, after }: RateDifference): boolean {
  if (before?.currency !== after?.currency) return false;
  return new Decimal(before?.amount ?? 0).equals(after?.amount ?? 0);
}

/** Null when the currency changes, or when the rate was free. */
function percent(before: RateCardRow | undefined, after: RateCardRow | undefined): string | null {
  if (!before || !after || before.currency !== after.currency || new Decimal(before.amount).isZero()) {
    return null;
  }
  return new Decimal(after.amount).div(before.amount).minus(1).times(100).toFixed(1);
}
