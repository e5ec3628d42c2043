import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { DashboardUser } from '../../accounts/dashboard-user.entity.js';
import { DashboardUsersService } from '../../accounts/dashboard-users.service.js';
import { countedAddress } from '../../common/counted-address.js';
import { ApiError } from '../../common/errors.js';
import { KnownBrowsers } from './known-browsers.js';
import { type Attempt, LoginThrottle } from './login-throttle.js';
import type { SessionUser } from './session-user.js';

/** What users show to be who they say they are. Each way of it is throttled. */
@Injectable()
export class Proofs {
  constructor(
    private readonly users: DashboardUsersService,
    private readonly throttle: LoginThrottle,
    private readonly browsers: KnownBrowsers,
  ) {}

  /** @throws ApiError UNAUTHORIZED, which does not tell what was wrong, or RATE_LIMITED */
  signIn(request: Request, { email, password }: { email: string; password: string }): Promise<DashboardUser> {
    return this.throttle.guard(this.attempt(request, email), async () => {
      const user = await this.users.verify(email, password);
      if (user) return user;
      throw new ApiError('UNAUTHORIZED', 'The e-mail address or the password is not right.');
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

  private attempt(request: Request, address: string): Attempt {
    const email = address.toLowerCase();
    return {
      email,
      address: countedAddress(request.ip ?? ''),
      browser: this.browsers.read(request, email),
    };
  }
}
