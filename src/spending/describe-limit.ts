import { periodEnd } from './domain/spend-limit.js';
import type { SpendLimitState } from './spend-limits.service.js';

/** A limit as the admin command and the dashboard tell it. Amounts are decimals with six places, as text. */
export const describeLimit = ({
  spend_limit_id,
  scope,
  api_id,
  name,
  period,
  currency,
  amount,
  spent,
  period_start,
  is_in_force: in_force,
  is_reached: reached,
}: SpendLimitState) => ({
  spend_limit_id,
  limit: scope,
  messaging_account_id: scope === 'number' ? api_id : null,
  api_key_id: scope === 'api_key' ? api_id : null,
  name,
  period,
  currency,
  amount,
  spent,
  /** False while what was spent before it is being found out. */
  in_force,
  /** Whether a message was refused in this period. */
  reached,
  begins_anew_at: periodEnd(period, period_start),
});
