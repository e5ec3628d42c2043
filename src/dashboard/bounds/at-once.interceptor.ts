import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { lastValueFrom, type Observable, of } from 'rxjs';
import type { SessionRequest } from '../sessions/session-user.js';
import { type BoundName, TenantBoundsService } from './tenant-bounds.service.js';

export const AT_ONCE = 'dashboard:at-once';

/**
 * Bounds how many requests of one tenant are worked on at the same time, over all routes with the same bound. Uploads
 * and exports end when the caller leaves, or neither takes nor sends anything for too long. The check of a campaign
 * goes on without its caller, and keeps its place until it is done.
 */
@Injectable()
export class AtOnceInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly bounds: TenantBoundsService,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const targets = [context.getHandler(), context.getClass()];
    const bound = this.reflector.getAllAndOverride<BoundName | undefined>(AT_ONCE, targets);
    const { user } = context.switchToHttp().getRequest<SessionRequest>();
    if (!bound || !user) return next.handle();
    const work = () => lastValueFrom(next.handle(), { defaultValue: undefined });
    return of(await this.bounds.run(bound, user.tenantId, work));
  }
}
