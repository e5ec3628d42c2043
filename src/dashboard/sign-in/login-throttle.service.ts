import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { DataSource } from 'typeorm';
import { ApiError } from '../../common/errors.js';
import { Config } from '../../config/config.js';
import { type Patience, waitAfter } from './domain/login-patience.js';

const DAY = 86_400;

/** Applies unless somebody guesses. */
const CALM: Patience = { free: 10, first: 30, longest: 3_600 };

/** Applies to strangers while somebody guesses. Whoever has not failed yet still has one try at once. */
const WARY: Patience = { free: 1, first: 60, longest: DAY };

/** With more failures of strangers at one account in a day, somebody guesses its password from many addresses. */
const ACCOUNT_FAILURES = 100;

/** Who tries to sign in. */
export interface Attempt {
  /** Lower case. */
  email: string;
  /** As in {@link countedAddress}. */
  address: string;
  /** The id of a browser in which this user has signed in before; null for a stranger. */
  browser: string | null;
}

/** The keys under which an attempt is counted. `key` has the tries of the day, and the wait after the last one. */
interface Counted {
  key: string;
  /** A stranger also counts at the account, from all addresses, and at the address, for all accounts; others do not. */
  account: string | null;
  address: string | null;
}

/** Errors that are no failed guess: only the second factor is missing, or a limit was reached. */
const NO_FAILURE = new Set(['SECOND_FACTOR_REQUIRED', 'RATE_LIMITED']);

/**
 * Makes guessing passwords slow. Failures are counted in PostgreSQL, for all processes together.
 *
 * Only who has failed has to wait: one account at one address, or in one browser where its user has signed in before.
 * Failures from other addresses, or at other accounts, never make anybody wait who has not failed: they only leave
 * strangers fewer tries before a wait. So nobody can lock out a user from another address; nor, from the same address,
 * in a browser where the user has signed in before.
 */
@Injectable()
export class LoginThrottleService {
  private readonly tries: RateLimiterPostgres;
  private readonly waits: RateLimiterPostgres;
  private readonly accounts: RateLimiterPostgres;
  private readonly addresses: RateLimiterPostgres;
  /** With more failures at one address in a minute, somebody guesses there; 0 for no limit. */
  private readonly addressFailures: number;

  constructor(@InjectDataSource() source: DataSource, config: Config) {
    const limiter = (keyPrefix: string, duration: number) =>
      new RateLimiterPostgres({
        storeClient: source,
        storeType: 'typeorm',
        tableName: 'dashboard_logins',
        tableCreated: true,
        keyPrefix,
        points: 1,
        duration,
      });
    this.tries = limiter('tries', DAY);
    this.waits = limiter('wait', DAY);
    this.accounts = limiter('account', DAY);
    this.addresses = limiter('address', 60);
    this.addressFailures = config.THROTTLE_FAILURES;
  }

  /**
   * Runs a sign-in. If it fails, it counts against the limits.
   * @throws ApiError RATE_LIMITED, without running it
   */
  guard<Result>({ email, address, browser }: Attempt, signIn: () => Promise<Result>): Promise<Result> {
    return this.run(
      browser === null
        ? { key: keyOf('stranger', address, email), account: keyOf(email), address: keyOf(address) }
        : { key: keyOf('browser', browser), account: null, address: null },
      signIn,
    );
  }

  /**
   * The same for a second factor. Strangers' tries are counted for the account, wherever they come from: there are few
   * codes, and only who knows the password gets here. A browser in which the user has signed in counts separately.
   */
  guardCode<Result>({ email, browser }: Attempt, check: () => Promise<Result>): Promise<Result> {
    const key = browser === null ? keyOf('code', email) : keyOf('code of browser', browser);
    return this.run({ key, account: null, address: null }, check);
  }

  private async run<Result>(counted: Counted, attempt: () => Promise<Result>): Promise<Result> {
    refuseWhile(await this.waits.get(counted.key));
    // Counted before the attempt, so that many guesses at the same time do not slip through.
    const patience = (await this.isGuessedAt(counted)) ? WARY : CALM;
    const { consumedPoints: tries } = await this.tries.penalty(counted.key);
    const wait = waitAfter(tries, patience);
    if (wait > 0) await this.beginWait(counted, wait);
    try {
      const result = await attempt();
      await this.takeBack(counted);
      await Promise.all([this.tries.delete(counted.key), this.waits.delete(counted.key)]);
      return result;
    } catch (error) {
      if (error instanceof ApiError && NO_FAILURE.has(error.code)) {
        await this.takeBack(counted);
        if (wait > 0) await this.waits.delete(counted.key);
      }
      throw error;
    }
  }

  /** Counts a stranger's try at the account and at the address. @returns whether either has more than is usual */
  private async isGuessedAt({ account, address }: Counted): Promise<boolean> {
    if (account === null || address === null) return false;
    const [ofAccount, ofAddress] = await Promise.all([
      this.accounts.penalty(account),
      this.addresses.penalty(address),
    ]);
    const bound = this.addressFailures;
    return ofAccount.consumedPoints > ACCOUNT_FAILURES || (bound > 0 && ofAddress.consumedPoints > bound);
  }

  private async takeBack({ key, account, address }: Counted): Promise<void> {
    await Promise.all([
      this.tries.reward(key),
      ...(account === null ? [] : [this.accounts.reward(account)]),
      ...(address === null ? [] : [this.addresses.reward(address)]),
    ]);
  }

  /** @param seconds until the next try. @throws ApiError RATE_LIMITED when another try has begun a wait meanwhile */
  private async beginWait(counted: Counted, seconds: number): Promise<void> {
    try {
      await this.waits.consume(counted.key, 1, { customDuration: seconds });
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      await this.takeBack(counted);
      refuseWhile(refusal);
    }
  }
}

/** @throws ApiError RATE_LIMITED unless there is no wait */
function refuseWhile(wait: RateLimiterRes | null): void {
  if (wait === null) return;
  const seconds = Math.max(1, Math.ceil(wait.msBeforeNext / 1000));
  throw new ApiError('RATE_LIMITED', `Too many failed sign-ins. Try again in ${seconds} s.`, [], seconds);
}

/** Hashed, as an address and an e-mail can be longer than the column. */
function keyOf(...parts: string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
