import { Body, Delete, Get, Post, Req, Res } from '@nestjs/common';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import type { Request, Response } from 'express';
import { AccountsService } from '../../accounts/accounts.service.js';
import { forwardedHeaders } from '../../http/forwarded-headers.js';
import { Clock } from '../../common/clock.js';
import { VERSION } from '../../common/project.js';
import { Config } from '../../config/config.js';
import { DashboardController } from '../dashboard-controller.js';
import { AuditLogService } from '../audit/audit-log.service.js';
import { KnownBrowsersService } from './known-browsers.service.js';
import { ProofsService } from './proofs.service.js';
import { readSessionCookie, writeSessionCookie } from '../sessions/session-cookie.js';
import { CurrentUser, type SessionUser } from '../sessions/session-user.js';
import { SessionsService } from '../sessions/sessions.service.js';

class SignInRequest {
  @IsString()
  @MaxLength(320)
  email: string;

  @IsString()
  @MaxLength(256)
  password: string;

  /** A code of the second factor. */
  @IsOptional()
  @IsString()
  @MaxLength(64)
  code?: string;
}

/** Signing in and out. */
@DashboardController('session')
export class SessionController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly proofs: ProofsService,
    private readonly browsers: KnownBrowsersService,
    private readonly accounts: AccountsService,
    private readonly audit: AuditLogService,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  @Post()
  async signIn(
    @Body() credentials: SignInRequest,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { user: proven, secondFactor } = await this.proofs.signIn(request, credentials);
    const token = await this.sessions.start(proven);
    const user = (await this.sessions.find(token)) as SessionUser;
    await this.audit.record(user, 'session.started', {});
    if (secondFactor === 'recovery_code')
      await this.audit.record(user, 'second_factor.recovery_code_used', {});
    writeSessionCookie(request, response, token);
    this.browsers.remember(request, response, user.email);
    response.status(200);
    return this.describe(request, user, token);
  }

  /**
   * Who is signed in; null for nobody. This does not count as use of the session: the page asks by itself whether the
   * service is there, and a page that is merely open must not stay signed in.
   */
  @Get()
  async find(@Req() request: Request) {
    const token = readSessionCookie(request);
    const user = token ? await this.sessions.find(token) : null;
    return token && user ? this.describe(request, user, token) : { success: true, data: null };
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

  private async describe(request: Request, user: SessionUser, token: string) {
    const csrf_token = this.sessions.csrfToken(token);
    return {
      success: true,
      data: {
        user: await this.describeUser(user),
        csrf_token,
        connection: this.describeConnection(request),
        service: { version: VERSION, clock_ahead: this.clock.ahead },
      },
    };
  }

  /** How the request arrived, as far as the service can tell; the page compares it with how it was opened. */
  private describeConnection({ headers, secure }: Request) {
    const ignored = this.config.TRUSTED_PROXIES === 0 ? forwardedHeaders(headers) : [];
    return { secure, trusted_proxies: this.config.TRUSTED_PROXIES, ignored_headers: ignored };
  }

  private async describeUser({ userId, email, role, operator, tenantId }: SessionUser) {
    const tenant = await this.accounts.findTenant(tenantId);
    return {
      user_id: userId,
      email,
      role,
      operator,
      tenant: { tenant_id: tenantId, name: tenant?.name },
    };
  }
}
