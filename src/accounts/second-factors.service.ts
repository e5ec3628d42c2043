import { randomBytes, randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, Not, Repository } from 'typeorm';
import { Clock } from '../common/clock.js';
import { ApiError } from '../common/errors.js';
import { Database, type Statement } from '../database/database.js';
import { oneTimeSecret, oneTimeUri, SECRET_BYTES, stepOfCode } from './domain/one-time-code.js';
import { newRecoveryCode, RECOVERY_CODES, recoveryHash } from './domain/recovery-code.js';
import { SecondFactor } from './second-factor.entity.js';
import { SecretBox } from './secret-box.js';

/** What users are shown of their own second factor. */
export interface SecondFactorState {
  turnedOnAt: Date;
  recoveryCodesLeft: number;
}

/** Which kind of code a user has given. */
export type SecondFactorProof = 'one_time_code' | 'recovery_code';

/** Second factors of the dashboard's users: one-time codes of an app, and recovery codes for when it is lost. */
@Injectable()
export class SecondFactorsService {
  constructor(
    @InjectRepository(SecondFactor) private readonly factors: Repository<SecondFactor>,
    private readonly database: Database,
    private readonly box: SecretBox,
    private readonly clock: Clock,
  ) {}

  /** Null where it is off. */
  async find(userId: string): Promise<SecondFactorState | null> {
    const factor = await this.factors.findOneBy({ userId });
    if (!factor?.turnedOnAt) return null;
    return { turnedOnAt: factor.turnedOnAt, recoveryCodesLeft: factor.recoveryHashes.length };
  }

  /** Which of these users have it turned on. */
  async usersWith(userIds: string[]): Promise<Set<string>> {
    const factors = await this.factors.findBy({ userId: In(userIds), turnedOnAt: Not(IsNull()) });
    return new Set(factors.map(({ userId }) => userId));
  }

  /**
   * Makes a secret for the user's app; one that was not confirmed is replaced.
   * @returns the secret in base32, and its address for a QR code
   * @throws ApiError CONFLICT when it is turned on already
   */
  async begin(userId: string, email: string): Promise<{ secret: string; uri: string }> {
    const secret = oneTimeSecret(randomBytes(SECRET_BYTES));
    const begun = await this.database.run(BEGIN, [userId, this.box.seal(secret)]);
    if (begun.length === 0)
      throw new ApiError('CONFLICT', 'Your second factor is turned on already: turn it off first.');
    return { secret, uri: oneTimeUri(secret, email) };
  }

  /**
   * Turns it on, once a code has shown that the app has the secret.
   * @returns the recovery codes, which can never be read again; null when the code is wrong
   */
  async turnOn(userId: string, code: string): Promise<string[] | null> {
    const factor = await this.factors.findOneBy({ userId, turnedOnAt: IsNull() });
    if (!factor) return null;
    const now = this.clock.real();
    const step = stepOfCode(this.box.open(factor.secret), plain(code), now);
    if (step === null) return null;
    const codes = newCodes();
    const values = [userId, factor.secret, now, step, codes.map(recoveryHash)];
    const turnedOn = await this.database.run(TURN_ON, values);
    return turnedOn.length > 0 ? codes : null;
  }

  /** Uses up a code of either kind. @returns which it was; null when it is none, or was used before */
  async use(userId: string, code: string): Promise<SecondFactorProof | null> {
    const factor = await this.factors.findOneBy({ userId, turnedOnAt: Not(IsNull()) });
    if (!factor) return null;
    const step = stepOfCode(this.box.open(factor.secret), plain(code), this.clock.real());
    if (step !== null) {
      const used = await this.database.run(USE_STEP, [userId, step]);
      return used.length > 0 ? 'one_time_code' : null;
    }
    const hash = recoveryHash(code);
    const used = hash === null ? [] : await this.database.run(USE_RECOVERY, [userId, hash]);
    return used.length > 0 ? 'recovery_code' : null;
  }

  /** Replaces all recovery codes. @returns the new ones, which can never be read again */
  async renewRecoveryCodes(userId: string): Promise<string[]> {
    const codes = newCodes();
    const recoveryHashes = codes.map((code) => recoveryHash(code) as string);
    await this.factors.update({ userId, turnedOnAt: Not(IsNull()) }, { recoveryHashes });
    return codes;
  }

  /** Turns it off. @returns false when it was off */
  async turnOff(userId: string): Promise<boolean> {
    const { affected } = await this.factors.delete({ userId, turnedOnAt: Not(IsNull()) });
    return (affected ?? 0) > 0;
  }
}

/** Apps show a code in two groups. */
function plain(code: string): string {
  return code.replaceAll(/\s/g, '');
}

function newCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => newRecoveryCode(randomInt));
}

/** From off, or begun, to begun; nothing is returned where it is on. */
const BEGIN: Statement = {
  name: 'second_factor_begin',
  text: `
    INSERT INTO second_factors AS f (user_id, secret) VALUES ($1, $2)
    ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret WHERE f.turned_on_at IS NULL
    RETURNING f.user_id`,
};

/** From begun to on, if the secret is still the same; the given code is used up. */
const TURN_ON: Statement = {
  name: 'second_factor_turn_on',
  text: `
    UPDATE second_factors SET turned_on_at = $3, last_step = $4, recovery_hashes = $5
    WHERE user_id = $1 AND secret = $2 AND turned_on_at IS NULL RETURNING user_id`,
};

/** Of several requests with the same code at the same time, one succeeds. */
const USE_STEP: Statement = {
  name: 'second_factor_use_step',
  text: `
    UPDATE second_factors SET last_step = $2
    WHERE user_id = $1 AND last_step < $2 AND turned_on_at IS NOT NULL RETURNING user_id`,
};

/** The same for a recovery code. */
const USE_RECOVERY: Statement = {
  name: 'second_factor_use_recovery',
  text: `
    UPDATE second_factors SET recovery_hashes = array_remove(recovery_hashes, $2)
    WHERE user_id = $1 AND $2 = ANY(recovery_hashes) AND turned_on_at IS NOT NULL RETURNING user_id`,
};
