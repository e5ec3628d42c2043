import { Decimal } from 'decimal.js';
import { OTHER } from './calling-codes.js';
import type { RateCardRow, RateCategory } from './rate-card.js';

/** The charge for a message: a decimal with six places, as text. */
export interface Cost {
  cost: string;
  currency: string;
  /** The row of the rate card: its market, `Other` where the recipient's has none, and its category. */
  market: string;
  category: RateCategory;
}

export interface CostInput {
  rates: readonly RateCardRow[];
  /** The template's category. */
  category: 'MARKETING' | 'UTILITY' | 'AUTHENTICATION';
  /** The recipient's market. */
  market: string;
  /** Whether it is a code to which the international rate applies; see `international.ts`. */
  isInternational: boolean;
  /** The tenant's markup in percent, such as `12.5`; from the database it comes as text. */
  markupPercent: string | number;
}

const PLACES = 6;
/** Beyond any rate and markup, so that only the last step rounds. */
const Money = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_UP });

function rateOf({ rates, category, market, isInternational }: CostInput): RateCardRow | undefined {
  const wanted: RateCategory[] = isInternational ? ['AUTHENTICATION_INTERNATIONAL', category] : [category];
  for (const place of [market, OTHER]) {
    for (const kind of wanted) {
      const rate = rates.find((row) => row.market === place && row.category === kind);
      if (rate) return rate;
    }
  }
  return undefined;
}

/**
 * The cost of one message: rate × (1 + markup / 100), rounded half up. International authentication costs the
 * international rate where the recipient's market has one. A market without a rate costs what `Other` costs; null
 * when there is no rate at all.
 */
export function computeCost(input: CostInput): Cost | null {
  const rate = rateOf(input);
  if (!rate) return null;
  const factor = new Money(input.markupPercent).div(100).plus(1);
  const { currency, market, category } = rate;
  return { cost: new Money(rate.amount).times(factor).toFixed(PLACES), currency, market, category };
}
