import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { DataSource } from 'typeorm';
import { ApiError } from '../../common/errors.js';
import { Config } from '../../config/config.js';

/** Wrong passwords for one user from one address, and the seconds in which they count. */
const GUESSES = 10;
const GUESS_WINDOW = 15 * 60;

/** Makes guessing passwords slow. Counted in PostgreSQL, for all processes together. */
@Injectable()
export class LoginThrottle {
  private readonly limits: {
    limiter: RateLimiterPostgres;
    key: (address: string, email: string) => string;
  }[];

  constructor(@InjectDataSource() source: DataSource, config: Config) {
    const limiter = (keyPrefix: string, points: number, duration: number) =>
      new RateLimiterPostgres({
        storeClient: source,
        storeType: 'typeorm',
        tableName: 'dashboard_logins',
        tableCreated: true,
        keyPrefix,
        points,
        duration,
      });
    this.limits = [
      {
        limiter: limiter('user', GUESSES, GUESS_WINDOW),
        // Hashed, as an address and an e-mail can be longer than the column.
        key: (address, email) => createHash('sha256').update(`${address} ${email}`).digest('hex'),
      },
    ];
    if (config.THROTTLE_FAILURES > 0) {
      this.limits.push({
        limiter: limiter('address', config.THROTTLE_FAILURES, 60),
        key: (address) => address,
      });
    }
  }

  /**
   * Runs a sign-in that counts against the limits unless it succeeds.
   * @throws ApiError RATE_LIMITED, without having tried
   */
  async guard<Result>(address: string, email: string, signIn: () => Promise<Result>): Promise<Result> {
    // Spent beforehand, so that many guesses at once do not slip through.
    for (const { limiter, key } of this.limits) await spend(limiter, key(address, email));
    const result = await signIn();
    for (const { limiter, key } of this.limits) await limiter.reward(key(address, email));
    return result;
  }
}

async function spend(limiter: RateLimiterPostgres, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const seconds = Math.ceil(refusal.msBeforeNext / 1000);
    throw new ApiError('RATE_LIMITED', `Too many failed sign-ins. Try again in ${seconds} s.`, [], seconds);
  }
}
