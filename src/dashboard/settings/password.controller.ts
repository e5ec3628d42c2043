import { Body, Put, Req } from '@nestjs/common';
import type { Request } from 'express';
import { DashboardUsersService } from '../../accounts/dashboard-users.service.js';
import { AuditLogService } from '../audit/audit-log.service.js';
import { DashboardController } from '../dashboard-controller.js';
import { ProofsService } from '../sign-in/proofs.service.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { CurrentUser, type SessionUser } from '../sessions/session-user.js';
import { ChangePasswordRequest } from './dto.js';

/** The user's own password. */
@DashboardController('password')
export class PasswordController {
  constructor(
    private readonly users: DashboardUsersService,
    private readonly sessions: SessionsService,
    private readonly proofs: ProofsService,
    private readonly audit: AuditLogService,
  ) {}

  /** Replaces it, and signs the user out everywhere else. Wrong passwords count as failed sign-ins do. */
  @Put()
  async change(
    @CurrentUser() user: SessionUser,
    @Body() { current_password, password }: ChangePasswordRequest,
    @Req() request: Request,
  ) {
    await this.proofs.requirePassword(request, user, current_password, 'current_password');
    await this.users.setPassword({ id: user.userId, email: user.email }, password);
    await this.sessions.endAll(user.userId, { except: user.sessionId });
    await this.audit.record(user, 'user.password_changed', {});
    return { success: true, data: {} };
  }
}
