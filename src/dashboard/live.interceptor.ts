import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { HttpAdapterHost, Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { lastValueFrom, NEVER, type Observable } from 'rxjs';
import { readSessionCookie } from './sessions/session-cookie.js';
import type { SessionRequest } from './sessions/session-user.js';
import { SessionsService } from './sessions/sessions.service.js';

export const LIVE = 'dashboard:live';

/**
 * Milliseconds between two looks, and between two signs of life. By these the page knows that the line is there
 * (dashboard/src/api/live-stream.ts), and proxies that the stream is in use.
 */
const INTERVAL = 1_000;
const HEARTBEAT = 5_000;

/**
 * Answers a route marked as live, when it is asked with `Accept: text/event-stream`, again whenever its answer has
 * changed: the route runs once a second and an event is sent if it says something else. The database is asked, rather
 * than told, because a notification for each change would serialise the commits of the hot path; a page's query is an
 * index scan of some rows.
 */
@Injectable()
export class LiveInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly sessions: SessionsService,
    private readonly adapter: HttpAdapterHost,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<SessionRequest>();
    const isLive = this.reflector.get<boolean | undefined>(LIVE, context.getHandler());
    const asksForStream = request.method === 'GET' && request.headers.accept?.includes('text/event-stream');
    if (!isLive || !asksForStream) return next.handle(); // a HEAD would never end
    const read = async () => JSON.stringify(await lastValueFrom(next.handle()));
    const first = await read(); // a fault is answered as for any other request
    void this.stream(request, context.switchToHttp().getResponse<Response>(), first, read);
    return NEVER; // the response is written here and ends with its connection
  }

  private async stream(
    request: SessionRequest,
    response: Response,
    first: string,
    read: () => Promise<string>,
  ): Promise<void> {
    // no-transform: compression would hold the events back.
    response.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    });
    response.write(event('data', first));
    let last = first;
    let written = Date.now();
    // A server that stops waits for its answers to end: this one does then.
    while ((await isOpenAfter(response, INTERVAL)) && this.adapter.httpAdapter.getHttpServer().listening) {
      if (response.writableNeedDrain) continue; // a listener that does not read must not fill the memory
      const change = await this.look(request, read);
      if (change === 'gone') return void response.end(event('gone', '{}'));
      if (change !== 'unknown' && change !== last) response.write(event('data', (last = change)));
      else if (Date.now() - written < HEARTBEAT) continue;
      else response.write(event('alive', '{}'));
      written = Date.now();
    }
    response.end();
  }

  /** The answer as of now; `gone` without a session, `unknown` while it cannot be had: the next look may succeed. */
  private async look(request: SessionRequest, read: () => Promise<string>): Promise<string> {
    try {
      const session = await this.sessions.find(readSessionCookie(request) ?? '');
      return session ? await read() : 'gone';
    } catch {
      return 'unknown';
    }
  }
}

function event(name: string, data: string): string {
  return `event: ${name}\ndata: ${data}\n\n`;
}

/** Waits, and says whether somebody still listens. */
function isOpenAfter(response: Response, milliseconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      response.off('close', done);
      resolve(!response.closed && !response.destroyed);
    };
    const timer = setTimeout(done, milliseconds);
    response.on('close', done);
  });
}
