import type { Scope } from '../../../../src/accounts/domain/scopes';
import type { Role } from '../../api/session';

export interface ApiKey {
  api_key_id: string;
  name: string;
  scopes: Scope[];
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
  revoked_at: string | null;
}

export interface User {
  user_id: string;
  email: string;
  role: Role;
  operator: boolean;
  second_factor: boolean;
  last_seen_at: string | null;
  created_at: string;
}

/** The user's own second factor. */
export interface SecondFactor {
  turned_on_at: string | null;
  recovery_codes_left: number;
}

/** The secret for the user's app, in base32 and as the address for a QR code. */
export interface Setup {
  secret: string;
  uri: string;
}

export interface NewRecoveryCodes {
  recovery_codes: string[];
}

export interface AuditEntry {
  entry_id: number;
  user_id: string;
  user_email: string;
  action: string;
  details: Record<string, unknown>;
  occurred_at: string;
}

export interface AuditFacets {
  users: { user_id: string; email: string }[];
  actions: string[];
}

export type RateCategory = 'MARKETING' | 'UTILITY' | 'AUTHENTICATION' | 'AUTHENTICATION_INTERNATIONAL';

export interface Rate {
  market: string;
  currency: string;
  category: RateCategory;
  amount: string;
}

export interface RateCard {
  rate_card_id: number;
  effective_from: string;
  loaded_at: string;
  rates: Rate[];
}

export interface RateCards {
  in_force: RateCard | null;
  /** The next cards, the soonest first. */
  upcoming: RateCard[];
  markup_percent: string;
}

export interface RateDifference {
  market: string;
  category: RateCategory;
  before: { amount: string; currency: string } | null;
  after: { amount: string; currency: string } | null;
  /** A percentage with one decimal place, such as `-3.5`. */
  percent: string | null;
}

/** The changes that a new card would make. */
export interface CardComparison {
  rates: number;
  added: RateDifference[];
  removed: RateDifference[];
  changed: RateDifference[];
  unchanged: number;
}
