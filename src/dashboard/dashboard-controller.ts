import { applyDecorators, Controller, SetMetadata, UseGuards, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { DashboardRole } from '../accounts/dashboard-user.entity.js';
import { LIVE, LiveInterceptor } from './live/live.interceptor.js';
import { REQUIRED_ROLE, RoleGuard } from './sessions/role.guard.js';

/** A controller of the page's own API under /dashboard/api: for signed-in users, outside the public document. */
export const DashboardController = (path: string) =>
  applyDecorators(
    Controller(`dashboard/api/${path}`),
    ApiExcludeController(),
    UseGuards(RoleGuard),
    UseInterceptors(LiveInterceptor),
  );

/** What a user has to be, at least, for a controller or one of its routes; viewer where nothing is said. */
export const Requires = (role: DashboardRole) => SetMetadata(REQUIRED_ROLE, role);

/** Lets a GET route be followed as a stream of events; see {@link LiveInterceptor}. */
export const Live = () => SetMetadata(LIVE, true);
