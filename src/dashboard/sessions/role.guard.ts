import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { DASHBOARD_ROLES, type DashboardRole } from '../../accounts/dashboard-user.entity.js';
import { ApiError } from '../../common/errors.js';
import type { SessionRequest } from './session-user.js';

export const REQUIRED_ROLE = 'dashboard:role';

/** Lets users pass who have at least the role that the route requires. */
@Injectable()
export class RoleGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const targets = [context.getHandler(), context.getClass()];
    const required = this.reflector.getAllAndOverride<DashboardRole | undefined>(REQUIRED_ROLE, targets);
    const role = context.switchToHttp().getRequest<SessionRequest>().user?.role ?? 'viewer';
    if (!required || DASHBOARD_ROLES.indexOf(role) >= DASHBOARD_ROLES.indexOf(required)) return true;
    throw new ApiError('FORBIDDEN', `Only users with the role ${required} may do this; yours is ${role}.`);
  }
}
