import { Body, Put, Req } from '@nestjs/common';
import type { Request } from 'express';
import { DashboardUsersService } from '../../accounts/dashboard-users.service.js';
import { ApiError } from '../../common/errors.js';
import { AuditLog } from '../audit/audit-log.js';
import { DashboardController } from '../dashboard-controller.js';
import { LoginThrottle } from '../sessions/login-throttle.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { CurrentUser, type SessionUser } from '../sessions/session-user.js';
import { ChangePasswordRequest } from './dto.js';

/** The user's own password. */
@DashboardController('password')
export class PasswordController {
  constructor(
    private readonly users: DashboardUsersService,
    private readonly sessions: SessionsService,
    private readonly throttle: LoginThrottle,
    private readonly audit: AuditLog,
  ) {}

  /** Replaces it, and signs the user out everywhere else. Guesses count as those at the login do. */
  @Put()
  async change(
    @CurrentUser() user: SessionUser,
    @Body() { current_password, password }: ChangePasswordRequest,
    @Req() { ip = '' }: Request,
  ) {
    await this.throttle.guard(ip, user.email, () => this.verify(user.email, current_password));
    await this.users.setPassword({ id: user.userId, email: user.email }, password);
    await this.sessions.endAll(user.userId, { except: user.sessionId });
    await this.audit.record(user, 'user.password_changed', {});
    return { success: true, data: {} };
  }

  private async verify(email: string, password: string): Promise<void> {
    if (await this.users.verify(email, password)) return;
    const message = 'This is not your present password.';
    throw new ApiError('VALIDATION_FAILED', message, [{ field: 'current_password', message }]);
  }
}
