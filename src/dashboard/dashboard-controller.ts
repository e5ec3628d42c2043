import { applyDecorators, Controller, SetMetadata, UseGuards, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { DashboardRole } from '../accounts/dashboard-user.entity.js';
import { AT_ONCE, AtOnceInterceptor } from './bounds/at-once.interceptor.js';
import type { BoundName } from './bounds/tenant-bounds.service.js';
import { LIVE, LiveInterceptor } from './live/live.interceptor.js';
import { REQUIRED_ROLE, RoleGuard } from './sessions/role.guard.js';

/**
 * A controller of the page's own API under /dashboard/api: for signed-in users, not in the public document. Routes
 * under `uploads/` take raw bodies and have the bounds of uploads.
 */
export const DashboardController = (path: string) =>
  applyDecorators(
    Controller(`dashboard/api/${path}`),
    ApiExcludeController(),
    UseGuards(RoleGuard),
    UseInterceptors(LiveInterceptor, AtOnceInterceptor),
    ...(path.startsWith('uploads/') ? [AtOnce('uploads')] : []),
  );

/** The least role that a user needs for a controller or one of its routes; without it, viewer. */
export const Requires = (role: DashboardRole) => SetMetadata(REQUIRED_ROLE, role);

/** Bounds how many of a tenant's requests are worked on at the same time; see {@link AtOnceInterceptor}. */
export const AtOnce = (bound: BoundName) => SetMetadata(AT_ONCE, bound);

/** Lets a GET route be followed as a stream of events; see {@link LiveInterceptor}. */
export const Live = () => SetMetadata(LIVE, true);
