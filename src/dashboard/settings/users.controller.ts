import { Body, Delete, Get, HttpCode, Param, Patch, Post, Put } from '@nestjs/common';
import type { DashboardUser } from '../../accounts/dashboard-user.entity.js';
import { DashboardUsersService } from '../../accounts/dashboard-users.service.js';
import { SecondFactorsService } from '../../accounts/second-factors.service.js';
import { ApiError } from '../../common/errors.js';
import { AuditLogService } from '../audit/audit-log.service.js';
import { DashboardController, Requires } from '../dashboard-controller.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { CurrentUser, type SessionUser } from '../sessions/session-user.js';
import { ChangeRoleRequest, CreateUserRequest, ResetPasswordRequest, UserId } from './dto.js';

/** The people who may sign in to the tenant's dashboard. What is changed holds for their next request. */
@DashboardController('users')
@Requires('owner')
export class UsersController {
  constructor(
    private readonly users: DashboardUsersService,
    private readonly secondFactors: SecondFactorsService,
    private readonly sessions: SessionsService,
    private readonly audit: AuditLogService,
  ) {}

  @Get()
  async list(@CurrentUser() { tenantId }: SessionUser) {
    const users = await this.users.list(tenantId);
    const secured = await this.secondFactors.usersWith(users.map(({ id }) => id));
    return { success: true, data: users.map((one) => describe(one, secured.has(one.id))) };
  }

  @Post()
  @HttpCode(201)
  async create(@CurrentUser() user: SessionUser, @Body() { email, role, password }: CreateUserRequest) {
    const created = await this.users.create(user.tenantId, email, password, { role });
    await this.audit.record(user, 'user.created', { user_id: created.id, email: created.email, role });
    return { success: true, data: describe(created, false) };
  }

  @Patch(':user_id')
  async changeRole(
    @CurrentUser() user: SessionUser,
    @Param() { user_id }: UserId,
    @Body() { role }: ChangeRoleRequest,
  ) {
    const target = await this.users.find(user.tenantId, user_id);
    await this.users.changeRole(user.tenantId, user_id, role);
    const { email, role: before } = target;
    if (role !== before) await this.audit.record(user, 'user.role_changed', { user_id, email, role, before });
    const secured = await this.secondFactors.usersWith([user_id]);
    return { success: true, data: { ...describe(target, secured.has(user_id)), role } };
  }

  /** Sets a password, and signs the user out everywhere. */
  @Put(':user_id/password')
  async resetPassword(
    @CurrentUser() user: SessionUser,
    @Param() { user_id }: UserId,
    @Body() { password }: ResetPasswordRequest,
  ) {
    const target = await this.users.find(user.tenantId, user_id);
    protectOperator(user, target);
    await this.users.setPassword(target, password);
    await this.sessions.endAll(user_id, { except: user.sessionId });
    await this.audit.record(user, 'user.password_reset', { user_id, email: target.email });
    return { success: true, data: {} };
  }

  /** Turns off the second factor of another user, who has lost it, and signs that user out everywhere. */
  @Delete(':user_id/second-factor')
  async resetSecondFactor(@CurrentUser() user: SessionUser, @Param() { user_id }: UserId) {
    const target = await this.users.find(user.tenantId, user_id);
    protectOperator(user, target);
    if (user_id === user.userId)
      throw new ApiError('CONFLICT', 'Turn off your own second factor with your password and a code.');
    if (!(await this.secondFactors.turnOff(user_id)))
      throw new ApiError('CONFLICT', 'This user has no second factor.');
    await this.sessions.endAll(user_id);
    await this.audit.record(user, 'user.second_factor_reset', { user_id, email: target.email });
    return { success: true, data: {} };
  }

  @Delete(':user_id')
  async remove(@CurrentUser() user: SessionUser, @Param() { user_id }: UserId) {
    const { email } = await this.users.find(user.tenantId, user_id);
    await this.users.remove(user.tenantId, user_id);
    await this.audit.record(user, 'user.removed', { user_id, email });
    return { success: true, data: {} };
  }
}

/** Otherwise an owner could sign in as an operator, and change what all tenants share. */
function protectOperator(user: SessionUser, target: DashboardUser): void {
  if (target.operator && !user.operator)
    throw new ApiError('FORBIDDEN', 'Only an operator may change how an operator signs in.');
}

function describe(user: DashboardUser, secondFactor: boolean) {
  const { id, email, role, operator, lastSeenAt, createdAt } = user;
  return {
    user_id: id,
    email,
    role,
    operator,
    second_factor: secondFactor,
    last_seen_at: lastSeenAt ?? null,
    created_at: createdAt,
  };
}
