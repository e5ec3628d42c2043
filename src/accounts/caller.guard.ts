import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { ApiError } from '../common/errors.js';
import type { AuthenticatedRequest } from './current-caller.js';

/** Asserts that the {@link ApiKeyAuthentication} has let the request pass: it comes before the body is read. */
export class CallerGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (context.switchToHttp().getRequest<AuthenticatedRequest>().caller) return true;
    throw new ApiError('UNAUTHORIZED', 'This is for callers with an API key only.');
  }
}
