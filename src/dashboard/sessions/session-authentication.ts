import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { ApiError } from '../../common/errors.js';
import { readSessionCookie } from './session-cookie.js';
import type { SessionRequest } from './session-user.js';
import { SessionsService } from './sessions.service.js';

const READING = new Set(['GET', 'HEAD']);

/**
 * Lets a request of the dashboard's page pass that carries the cookie of a session and, when it changes something,
 * that session's CSRF token. A middleware, as it comes before the body is read.
 */
@Injectable()
export class SessionAuthentication {
  constructor(private readonly sessions: SessionsService) {}

  /** An Express middleware; Express passes on what it rejects with. */
  readonly handle = async (
    request: SessionRequest,
    _response: Response,
    next: NextFunction,
  ): Promise<void> => {
    if (!isAboutSession(request)) await this.admit(request);
    next();
  };

  private async admit(request: SessionRequest): Promise<void> {
    const token = readSessionCookie(request);
    const user = token ? await this.sessions.find(token) : null;
    if (!token || !user) throw new ApiError('UNAUTHORIZED', 'Sign in: there is no session, or it has ended.');
    if (
      !READING.has(request.method) &&
      !this.sessions.isCsrfToken(token, request.header('X-CSRF-Token') ?? '')
    ) {
      throw new ApiError('FORBIDDEN', 'Send the CSRF token of the session in X-CSRF-Token.');
    }
    request.user = user;
    if (!isAskedByPage(request)) await this.sessions.touch(user);
  }
}

/**
 * Signing in needs neither a session nor a CSRF token: its JSON body cannot come from another site's form. Asking who
 * is signed in needs no session either, as the answer may be nobody.
 */
function isAboutSession({ method, baseUrl, path }: Request): boolean {
  return (method === 'POST' || READING.has(method)) && baseUrl + path === '/dashboard/api/session';
}

/** What the page asks again and again by itself keeps no session alive. */
function isAskedByPage({ method, baseUrl, path }: Request): boolean {
  return READING.has(method) && baseUrl + path === '/dashboard/api/alerts/unread';
}
