import { GraphError } from './graph-error.js';

/** Tokens that refill evenly up to a burst. */
export class TokenBucket {
  private tokens: number;
  private filledAt: number;

  /** `perSecond` tokens come back each second; at most `burst` are kept. Times are milliseconds. */
  constructor(
    private readonly burst: number,
    private readonly perSecond: number,
    now: number,
  ) {
    this.tokens = burst;
    this.filledAt = now;
  }

  /** Takes one token and answers 0, or takes none and answers the milliseconds until there is one. */
  take(now: number): number {
    this.refill(now);
    // Refills may add up to 0.9999… only: without this tolerance, a caller who has waited as told would fail.
    if (this.tokens < 0.999) return ((1 - this.tokens) / this.perSecond) * 1000;
    this.tokens -= 1;
    return 0;
  }

  /** What is used up of the burst, from 0 to 1, and the milliseconds until there is a token. */
  usage(now: number): { share: number; wait: number } {
    this.refill(now);
    const wait = this.tokens < 0.999 ? ((1 - this.tokens) / this.perSecond) * 1000 : 0;
    return { share: 1 - this.tokens / this.burst, wait };
  }

  isFull(now: number): boolean {
    this.refill(now);
    return this.tokens >= this.burst;
  }

  private refill(now: number): void {
    const elapsed = Math.max(0, now - this.filledAt) / 1000;
    this.tokens = Math.min(this.burst, this.tokens + elapsed * this.perSecond);
    this.filledAt = now;
  }
}

const PAIR_BURST = 45;
const PAIR_PER_SECOND = 1 / 6;
/** Calls an hour for each app and business account, as for an account with a registered number. */
const MANAGEMENT_CALLS = 5000;
/** Idle pairs are forgotten beyond this many, so that memory stays bounded. */
const MOST_PAIRS = 50_000;

/** Used percent of what is allowed; the estimated time is in minutes. */
interface AccountUsage {
  call_count: number;
  total_cputime: number;
  total_time: number;
  estimated_time_to_regain_access: number;
}

/** The provider's limits: per number (130429), per number and recipient (131056), per business account (80007). */
export class RateLimits {
  private readonly numbers = new Map<string, TokenBucket>();
  private readonly pairs = new Map<string, TokenBucket>();
  private readonly accounts = new Map<string, TokenBucket>();
  private readonly app: TokenBucket;

  /** `now` in milliseconds. When not `enabled`, nothing is ever refused. */
  constructor(
    private readonly enabled: boolean,
    private readonly now: () => number,
  ) {
    this.app = new TokenBucket(MANAGEMENT_CALLS, MANAGEMENT_CALLS / 3600, now());
  }

  takeSend(phoneNumberId: string, messagesPerSecond: number, to: string): void {
    if (!this.enabled) return;
    this.takePair(phoneNumberId, to);
    const key = `${phoneNumberId}:${messagesPerSecond}`;
    const wait = this.take(this.numbers, key, messagesPerSecond, messagesPerSecond);
    if (wait === 0) return;
    throw new GraphError(130429, `Throughput of ${messagesPerSecond} messages per second has been reached.`, {
      retryAfter: Math.ceil(wait / 1000),
    });
  }

  takeManagementCall(wabaId: string): void {
    if (!this.enabled) return;
    this.app.take(this.now());
    const wait = this.take(this.accounts, wabaId, MANAGEMENT_CALLS, MANAGEMENT_CALLS / 3600);
    if (wait === 0) return;
    throw new GraphError(80007, 'There have been too many calls to this WhatsApp Business account.');
  }

  /** The account's `x-business-use-case-usage`: used percent, and minutes to wait when nothing is left. */
  usageOf(wabaId: string): AccountUsage {
    const { share, wait } = this.accounts.get(wabaId)?.usage(this.now()) ?? { share: 0, wait: 0 };
    const percent = Math.round(share * 100);
    return {
      call_count: percent,
      total_cputime: 0,
      total_time: 0,
      estimated_time_to_regain_access: Math.ceil(wait / 60_000),
    };
  }

  /** The `x-app-usage`: used percent of the app's calls. Nothing is refused because of it. */
  appUsage(): Omit<AccountUsage, 'estimated_time_to_regain_access'> {
    const { share } = this.app.usage(this.now());
    return { call_count: Math.round(share * 100), total_cputime: 0, total_time: 0 };
  }

  private takePair(phoneNumberId: string, to: string): void {
    if (this.pairs.size >= MOST_PAIRS) this.forgetIdlePairs();
    if (this.take(this.pairs, `${phoneNumberId}:${to}`, PAIR_BURST, PAIR_PER_SECOND) === 0) return;
    throw new GraphError(131056, 'Too many messages sent from this phone number to the same recipient.');
  }

  private take(buckets: Map<string, TokenBucket>, key: string, burst: number, perSecond: number): number {
    const bucket = buckets.get(key) ?? new TokenBucket(burst, perSecond, this.now());
    buckets.set(key, bucket);
    return bucket.take(this.now());
  }

  private forgetIdlePairs(): void {
    for (const [key, bucket] of this.pairs) if (bucket.isFull(this.now())) this.pairs.delete(key);
    // If too many pairs are busy, the oldest are forgotten as well and get a fresh burst: memory has to stay bounded.
    for (const key of this.pairs.keys()) {
      if (this.pairs.size < MOST_PAIRS) break;
      this.pairs.delete(key);
    }
  }
}
