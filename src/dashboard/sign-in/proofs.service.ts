import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { DashboardUser } from '../../accounts/dashboard-user.entity.js';
import { DashboardUsersService } from '../../accounts/dashboard-users.service.js';
import { type SecondFactorProof, SecondFactorsService } from '../../accounts/second-factors.service.js';
import { countedAddress } from '../../http/counted-address.js';
import { ApiError } from '../../common/errors.js';
import { KnownBrowsersService } from './known-browsers.service.js';
import { type Attempt, LoginThrottleService } from './login-throttle.service.js';
import type { SessionUser } from '../sessions/session-user.js';

/** What one signs in with. */
export interface Credentials {
  email: string;
  password: string;
  /** A code of the second factor, of either kind. */
  code?: string;
}

/** A user who has proven who they are, and by which code besides the password. */
export interface ProvenUser {
  user: DashboardUser;
  secondFactor: SecondFactorProof | null;
}

const WRONG_CODE = 'This is not the present code, or it was used already.';

/** Checks the proofs by which users show who they are. Every kind of proof is throttled. */
@Injectable()
export class ProofsService {
  constructor(
    private readonly users: DashboardUsersService,
    private readonly secondFactors: SecondFactorsService,
    private readonly throttle: LoginThrottleService,
    private readonly browsers: KnownBrowsersService,
  ) {}

  /**
   * E-mail address and password, and a code where the user has a second factor.
   * @throws ApiError UNAUTHORIZED; SECOND_FACTOR_REQUIRED when only the code is missing; RATE_LIMITED
   */
  signIn(request: Request, { email, password, code }: Credentials): Promise<ProvenUser> {
    const attempt = this.attempt(request, email);
    return this.throttle.guard(attempt, async () => {
      const user = await this.users.verify(email, password);
      if (!user) throw new ApiError('UNAUTHORIZED', 'The e-mail address or the password is not right.');
      if (!(await this.secondFactors.find(user.id))) return { user, secondFactor: null };
      if (code === undefined)
        throw new ApiError('SECOND_FACTOR_REQUIRED', 'Send the code of your app, or a recovery code, too.');
      const wrong = new ApiError('UNAUTHORIZED', WRONG_CODE, [{ field: 'code', message: WRONG_CODE }]);
      return { user, secondFactor: await this.use(attempt, user.id, code, wrong) };
    });
  }

  /**
   * Asks a user who is signed in for the password once more.
   * @param field of the request that carries it
   * @throws ApiError VALIDATION_FAILED, RATE_LIMITED
   */
  async requirePassword(request: Request, user: SessionUser, password: string, field: string): Promise<void> {
    await this.throttle.guard(this.attempt(request, user.email), async () => {
      if (await this.users.verify(user.email, password)) return;
      const message = 'This is not your present password.';
      throw new ApiError('VALIDATION_FAILED', message, [{ field, message }]);
    });
  }

  /**
   * The same for a code of the second factor.
   * @throws ApiError VALIDATION_FAILED in the field `code`, RATE_LIMITED
   */
  async requireCode(request: Request, user: SessionUser, code: string): Promise<void> {
    const wrong = new ApiError('VALIDATION_FAILED', WRONG_CODE, [{ field: 'code', message: WRONG_CODE }]);
    await this.use(this.attempt(request, user.email), user.userId, code, wrong);
  }

  /**
   * Turns the second factor on by the first code of the app.
   * @returns the recovery codes
   * @throws ApiError as {@link requireCode}
   */
  requireFirstCode(request: Request, user: SessionUser, code: string): Promise<string[]> {
    return this.throttle.guardCode(this.attempt(request, user.email), async () => {
      const codes = await this.secondFactors.turnOn(user.userId, code);
      if (codes) return codes;
      const message = 'This is not the present code of the app. Is the clock of your phone right?';
      throw new ApiError('VALIDATION_FAILED', message, [{ field: 'code', message }]);
    });
  }

  private use(attempt: Attempt, userId: string, code: string, wrong: ApiError): Promise<SecondFactorProof> {
    return this.throttle.guardCode(attempt, async () => {
      const proof = await this.secondFactors.use(userId, code);
      if (proof) return proof;
      throw wrong;
    });
  }

  private attempt(request: Request, address: string): Attempt {
    const email = address.toLowerCase();
    return {
      email,
      address: countedAddress(request.ip ?? ''),
      browser: this.browsers.read(request, email),
    };
  }
}
