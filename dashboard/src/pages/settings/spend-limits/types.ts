import type { SpendPeriod, SpendScope } from '../../../../../src/spending/domain/spend-limit';

/** Amounts are decimals as text. */
export interface SpendLimit {
  spend_limit_id: number;
  limit: SpendScope;
  messaging_account_id: string | null;
  api_key_id: string | null;
  /** Of the number or the key; null for the tenant. */
  name: string | null;
  period: SpendPeriod;
  currency: string;
  amount: string;
  spent: string;
  /** False while what was spent before it is being found out. */
  in_force: boolean;
  /** Whether a message was refused in this period. */
  reached: boolean;
  begins_anew_at: string;
}

export interface SpendLimits {
  limits: SpendLimit[];
  /** What messages are charged in by the rate card. */
  currencies: string[];
  api_keys: { api_key_id: string; name: string }[];
}
