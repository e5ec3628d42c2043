import { Decimal } from 'decimal.js';
import { ApiError } from '../common/errors.js';
import { nameOfLimit, periodEnd, type SpendPeriod, type SpendScope } from './domain/spend-limit.js';

/** A limit that has no room for a message. Amounts are decimals, as text. */
export interface ReachedLimit {
  scope: SpendScope;
  period: SpendPeriod;
  currency: string;
  amount: string;
  /** What is spent of it, by messages of the same request as well. */
  spent: string;
  /** When its period began: ISO 8601. */
  period_start: string;
}

/** The refusal of a message for which limits have no room. */
export function spendLimitReached(limits: ReachedLimit[]): ApiError {
  const details = limits.map(({ scope, period, currency, amount, spent, period_start }) => ({
    limit: scope,
    period,
    amount: Number(amount),
    spent: Number(spent),
    currency,
    begins_anew_at: periodEnd(period, new Date(period_start)).toISOString(),
  }));
  const [first] = limits;
  const [{ begins_anew_at: time } = {}] = details;
  const which = first
    ? `The ${nameOfLimit(first)}, ${new Decimal(first.amount).toString()} ${first.currency}, has no room for this message; it begins anew at ${time}.`
    : 'A spending limit had no room for this message.';
  return new ApiError('SPEND_LIMIT_REACHED', which, details);
}
