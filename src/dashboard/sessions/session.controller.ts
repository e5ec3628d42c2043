import { Body, Delete, Get, Post, Req, Res } from '@nestjs/common';
import { IsString, MaxLength } from 'class-validator';
import type { Request, Response } from 'express';
import { AccountsService } from '../../accounts/accounts.service.js';
import { DashboardController } from '../dashboard-controller.js';
import { AuditLog } from '../audit/audit-log.js';
import { LoginThrottle } from './login-throttle.js';
import { readSessionCookie, writeSessionCookie } from './session-cookie.js';
import { CurrentUser, type SessionUser } from './session-user.js';
import { SessionsService } from './sessions.service.js';

class Credentials {
  @IsString()
  @MaxLength(320)
  email: string;

  @IsString()
  @MaxLength(256)
  password: string;
}

/** Signing in and out. */
@DashboardController('session')
export class SessionController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly throttle: LoginThrottle,
    private readonly accounts: AccountsService,
    private readonly audit: AuditLog,
  ) {}

  @Post()
  async signIn(
    @Body() { email, password }: Credentials,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    const token = await this.throttle.guard(request.ip ?? '', email.toLowerCase(), () =>
      this.sessions.start(email, password),
    );
    const user = (await this.sessions.find(token)) as SessionUser;
    await this.audit.record(user, 'session.started', {});
    writeSessionCookie(request, response, token);
    response.status(200);
    return this.describe(user, token);
  }

  /**
   * Who is signed in; null is nobody. To ask is no use of the session, as the page asks by itself whether the service is
   * there: one that only lies open must not stay signed in.
   */
  @Get()
  async find(@Req() request: Request) {
    const token = readSessionCookie(request);
    const user = token ? await this.sessions.find(token) : null;
    return token && user ? this.describe(user, token) : { success: true, data: null };
  }

  @Delete()
  async signOut(
    @CurrentUser() user: SessionUser,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    await this.sessions.end(user.sessionId);
    writeSessionCookie(request, response, null);
    return { success: true, data: {} };
  }

  /** Signs the user out on every device. */
  @Delete('all')
  async signOutEverywhere(
    @CurrentUser() user: SessionUser,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    await this.sessions.endAll(user.userId);
    await this.audit.record(user, 'session.ended_everywhere', {});
    writeSessionCookie(request, response, null);
    return { success: true, data: {} };
  }

  private async describe({ userId, email, role, operator, tenantId }: SessionUser, token: string) {
    const tenant = await this.accounts.findTenant(tenantId);
    const user = {
      user_id: userId,
      email,
      role,
      operator,
      tenant: { tenant_id: tenantId, name: tenant?.name },
    };
    return { success: true, data: { user, csrf_token: this.sessions.csrfToken(token) } };
  }
}
