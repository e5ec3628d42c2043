import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Caller } from './api-keys.service.js';

/** A request that has passed the ApiKeyAuthentication. */
export type AuthenticatedRequest = Request & { caller?: Caller };

/** The tenant that the request acts for. */
export const CurrentCaller = createParamDecorator(
  (_data: unknown, context: ExecutionContext): Caller =>
    context.switchToHttp().getRequest<AuthenticatedRequest>().caller as Caller,
);
