import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { DashboardRole } from '../../accounts/dashboard-user.entity.js';

/** Who a request of the dashboard comes from. */
export interface SessionUser {
  sessionId: string;
  userId: string;
  tenantId: string;
  email: string;
  role: DashboardRole;
  /** May change what all tenants share. */
  operator: boolean;
}

/** A request that has passed the SessionAuthentication. */
export type SessionRequest = Request & { user?: SessionUser };

/** The signed-in user. */
export const CurrentUser = createParamDecorator(
  (_data: unknown, context: ExecutionContext): SessionUser =>
    context.switchToHttp().getRequest<SessionRequest>().user as SessionUser,
);
