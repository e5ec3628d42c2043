import type { ProviderErrorClass } from '../provider/provider-error.js';
import type { TemplateCategory } from '../provider/wire.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Milliseconds between two probes of a hold. */
export const PROBE_INTERVAL = MINUTE;

/** The least of such a wait, in milliseconds; the most is twice as long. */
const ACCOUNT_RATE_PAUSE = 30 * SECOND;

/** How long and how often a message is tried again; in milliseconds. */
export interface RetryPolicy {
  /** First and longest wait of the exponential backoff. */
  base: number;
  cap: number;
  /** For how long a message of each category is tried again: a code since it was wanted, others since the first try. */
  budget: Record<TemplateCategory, number>;
}

/** What a hold makes wait: all of one of these, or the messages of a business account that a restore made doubtful. */
export type HoldScope = 'number' | 'business_account' | 'template' | 'restore';

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
  /** The first of its attempts, or the first after the last hold. */
  firstAttemptAt: Date;
}

const HOLD_SCOPES: Partial<Record<ProviderErrorClass, HoldScope>> = {
  spam: 'number',
  account: 'number',
  auth: 'business_account',
  misrouted: 'business_account',
  category: 'template',
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
  policy: RetryPolicy,
): Outcome {
  if (refusal.errorClass === 'unknown') return { kind: 'unknown' };
  const scope = HOLD_SCOPES[refusal.errorClass];
  // Under a hold it waits without a time: it is due, and the hold keeps it from being claimed.
  const pause = scope ? 0 : retryPause(refusal, attempt.attempts, random, policy);
  if (pause === null) return { kind: 'fail' };
  const dueAt = new Date(now.getTime() + pause);
  const isCode = attempt.category === 'AUTHENTICATION';
  // A code becomes useless with time, wherever it was spent. Any other message loses none to a hold or a backlog.
  const start = isCode ? attempt.wantedAt : attempt.firstAttemptAt;
  const isTooLate = dueAt.getTime() > start.getTime() + policy.budget[attempt.category];
  // A hold fails nothing but what has become useless: its cause is not the message's.
  if (isTooLate && (!scope || isCode)) return { kind: 'fail' };
  return scope ? { kind: 'hold', scope, dueAt } : { kind: 'retry', dueAt };
}

/**
 * The wait after "too many calls" for the whole business account, in milliseconds: as long as the provider says.
 * @param random from 0 to 1, for the jitter
 */
export function accountPause({ retryAfter }: Refusal, random: number): number {
  return retryAfter ?? ACCOUNT_RATE_PAUSE * (1 + random);
}

/** The scope of the hold that a class of errors places; undefined for a class that places none. */
export function holdScope(errorClass: ProviderErrorClass): HoldScope | undefined {
  return HOLD_SCOPES[errorClass];
}

/** Milliseconds until the next try, or null for an error that no further try can mend. */
function retryPause(
  refusal: Refusal,
  attempts: number,
  random: number,
  { base, cap }: RetryPolicy,
): number | null {
  const earliest = refusal.retryAfter ?? 0;
  switch (refusal.errorClass) {
    case 'transient':
      return Math.max(earliest, random * Math.min(cap, base * 2 ** (attempts - 1)));
    case 'number_rate':
      return Math.max(earliest, base * (0.5 + random));
    case 'account_rate':
      return accountPause(refusal, random);
    case 'pair_rate': // by the count of the pair's refusals, or of all tries where Redis could not tell
      return refusal.retryAfter ?? 4 ** Math.min(attempts - 1, 8) * SECOND;
    default:
      return null;
  }
}
