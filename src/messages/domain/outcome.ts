import type { ProviderErrorClass } from '../../provider/provider-error.js';
import type { TemplateCategory } from '../../provider/wire.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Milliseconds for which a message is worth trying again; a one-time code is useless after ten minutes. */
export const RETRY_BUDGET: Record<TemplateCategory, number> = {
  AUTHENTICATION: 10 * MINUTE,
  UTILITY: 24 * HOUR,
  MARKETING: 24 * HOUR,
};

/** Milliseconds between two probes of a hold. */
export const PROBE_INTERVAL = MINUTE;

/** The wait after "too many calls" for the whole business account, in milliseconds, where the provider names none. */
const ACCOUNT_RATE_PAUSE = 30 * SECOND;

/** First and longest wait of the exponential backoff, in milliseconds. */
export interface Backoff {
  base: number;
  cap: number;
}

/** What a hold makes wait. */
export type HoldScope = 'number' | 'business_account' | 'template';

/** What the provider's refusal means for a claimed message. */
export type Outcome =
  | { kind: 'retry'; dueAt: Date }
  | { kind: 'hold'; scope: HoldScope; dueAt: Date }
  | { kind: 'fail' }
  | { kind: 'unknown' };

export interface Refusal {
  errorClass: ProviderErrorClass;
  /** Milliseconds, from the provider's Retry-After. */
  retryAfter?: number | undefined;
}

export interface Attempt {
  /** Calls made for this message so far, this one included. */
  attempts: number;
  category: TemplateCategory;
  /** When it was to be sent at first. */
  wantedAt: Date;
}

const HOLD_SCOPES: Partial<Record<ProviderErrorClass, HoldScope>> = {
  spam: 'number',
  account: 'number',
  auth: 'business_account',
  template_recoverable: 'template',
};

/**
 * Decides by provider.md's table of error classes. A retry that would come after the message's budget is a failure.
 * @param random from 0 to 1, for the jitter
 */
export function decideOutcome(
  refusal: Refusal,
  attempt: Attempt,
  now: Date,
  random: number,
  backoff: Backoff,
): Outcome {
  if (refusal.errorClass === 'unknown') return { kind: 'unknown' };
  const scope = HOLD_SCOPES[refusal.errorClass];
  // Under a hold it waits without a time: it is due, and the hold keeps it from being claimed.
  const pause = scope ? 0 : retryPause(refusal, attempt.attempts, random, backoff);
  if (pause === null) return { kind: 'fail' };
  const dueAt = new Date(now.getTime() + pause);
  const endOfBudget = attempt.wantedAt.getTime() + RETRY_BUDGET[attempt.category];
  const isTooLate = dueAt.getTime() > endOfBudget;
  // A hold fails nothing but what has become useless: its cause is not the message's.
  if (isTooLate && (!scope || attempt.category === 'AUTHENTICATION')) return { kind: 'fail' };
  return scope ? { kind: 'hold', scope, dueAt } : { kind: 'retry', dueAt };
}

/** Milliseconds until the next try, or null for an error that no further try can mend. */
function retryPause(
  refusal: Refusal,
  attempts: number,
  random: number,
  { base, cap }: Backoff,
): number | null {
  const earliest = refusal.retryAfter ?? 0;
  switch (refusal.errorClass) {
    case 'transient':
      return Math.max(earliest, random * Math.min(cap, base * 2 ** (attempts - 1)));
    case 'number_rate':
      return Math.max(earliest, base * (0.5 + random));
    case 'account_rate':
      return Math.max(earliest, ACCOUNT_RATE_PAUSE * (1 + random));
    case 'pair_rate':
      return Math.max(earliest, 4 ** Math.min(attempts - 1, 8) * SECOND);
    default:
      return null;
  }
}
