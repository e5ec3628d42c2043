import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { lastValueFrom, NEVER, type Observable } from 'rxjs';
import type { SessionRequest } from '../sessions/session-user.js';
import { LiveViewsService } from './live-views.service.js';

export const LIVE = 'dashboard:live';

/**
 * Answers a live route, when asked with `Accept: text/event-stream`, again whenever its answer has changed; see
 * {@link LiveViewsService}. The answer may depend only on the tenant, the role and the URL: callers who agree in these share
 * one view.
 */
@Injectable()
export class LiveInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly views: LiveViewsService,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<SessionRequest>();
    const { user } = request;
    const isLive = this.reflector.get<boolean | undefined>(LIVE, context.getHandler());
    const asksForStream = request.method === 'GET' && request.headers.accept?.includes('text/event-stream');
    if (!isLive || !user || !asksForStream) return next.handle(); // a HEAD would never end
    const response = context.switchToHttp().getResponse<Response>();
    const read = async () => JSON.stringify(await lastValueFrom(next.handle()));
    await this.views.follow({ request, response, user, read }); // a fault is answered as for any other request
    return NEVER; // the response is written by the view and ends with its connection
  }
}
