import { Body, Delete, Get, HttpCode, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { SecondFactorsService } from '../../accounts/second-factors.service.js';
import { AuditLogService } from '../audit/audit-log.service.js';
import { DashboardController } from '../dashboard-controller.js';
import { ProofsService } from '../sign-in/proofs.service.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { CurrentUser, type SessionUser } from '../sessions/session-user.js';
import { CodeRequest, PasswordAndCodeRequest, PasswordRequest } from './dto.js';

/** The user's own second factor. */
@DashboardController('second-factor')
export class SecondFactorController {
  constructor(
    private readonly secondFactors: SecondFactorsService,
    private readonly proofs: ProofsService,
    private readonly sessions: SessionsService,
    private readonly audit: AuditLogService,
  ) {}

  @Get()
  async find(@CurrentUser() { userId }: SessionUser) {
    const state = await this.secondFactors.find(userId);
    return {
      success: true,
      data: { turned_on_at: state?.turnedOnAt ?? null, recovery_codes_left: state?.recoveryCodesLeft ?? 0 },
    };
  }

  /** Makes a secret for an app. Codes are asked for only after {@link turnOn}. */
  @Post()
  @HttpCode(201)
  async begin(
    @CurrentUser() user: SessionUser,
    @Body() { password }: PasswordRequest,
    @Req() request: Request,
  ) {
    await this.proofs.requirePassword(request, user, password, 'password');
    return { success: true, data: await this.secondFactors.begin(user.userId, user.email) };
  }

  /** Turns it on by a first code, and signs the user out everywhere else. The recovery codes are shown this once. */
  @Post('turn-on')
  @HttpCode(200)
  async turnOn(@CurrentUser() user: SessionUser, @Body() { code }: CodeRequest, @Req() request: Request) {
    const codes = await this.proofs.requireFirstCode(request, user, code);
    await this.sessions.endAll(user.userId, { except: user.sessionId });
    await this.audit.record(user, 'second_factor.turned_on', {});
    return { success: true, data: { recovery_codes: codes } };
  }

  /** Replaces all recovery codes by new ones. */
  @Post('recovery-codes')
  @HttpCode(200)
  async renewRecoveryCodes(
    @CurrentUser() user: SessionUser,
    @Body() { password, code }: PasswordAndCodeRequest,
    @Req() request: Request,
  ) {
    await this.proofs.requirePassword(request, user, password, 'password');
    await this.proofs.requireCode(request, user, code);
    const codes = await this.secondFactors.renewRecoveryCodes(user.userId);
    await this.audit.record(user, 'second_factor.recovery_codes_renewed', {});
    return { success: true, data: { recovery_codes: codes } };
  }

  @Delete()
  async turnOff(
    @CurrentUser() user: SessionUser,
    @Body() { password, code }: PasswordAndCodeRequest,
    @Req() request: Request,
  ) {
    await this.proofs.requirePassword(request, user, password, 'password');
    await this.proofs.requireCode(request, user, code);
    await this.secondFactors.turnOff(user.userId);
    await this.audit.record(user, 'second_factor.turned_off', {});
    return { success: true, data: {} };
  }
}
