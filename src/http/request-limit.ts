import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { ApiError } from '../common/errors.js';

const MINUTE = 60;

/** So many of something a minute, for each key. Counted in each process, which it protects, and without Redis. */
export class RequestLimit {
  private readonly counts: RateLimiterMemory;

  /** @param refusal what one is told who is over it */
  constructor(
    private readonly points: number,
    private readonly refusal: string,
  ) {
    this.counts = new RateLimiterMemory({ points, duration: MINUTE });
  }

  /** @throws ApiError RATE_LIMITED when this is one too many */
  async spend(key: string): Promise<void> {
    try {
      await this.counts.consume(key);
    } catch (result) {
      throw result instanceof RateLimiterRes ? this.refused(result) : result;
    }
  }

  /** Counts so many, also beyond the limit. */
  async add(key: string, count: number): Promise<void> {
    if (count > 0) await this.counts.penalty(key, count);
  }

  /** How many more there may be, at least one. @throws ApiError RATE_LIMITED when there may be none */
  async room(key: string): Promise<number> {
    const result = await this.counts.get(key);
    if (!result) return this.points;
    if (result.remainingPoints <= 0) throw this.refused(result);
    return result.remainingPoints;
  }

  private refused({ msBeforeNext }: RateLimiterRes): ApiError {
    const seconds = Math.ceil(msBeforeNext / 1000);
    return new ApiError('RATE_LIMITED', `${this.refusal} Try again in ${seconds} s.`, [], seconds);
  }
}
