import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';
import { SESSION_LIMIT } from './sessions.service.js';

const NAME = 'tms_session';

/** The session token that the browser sent, if any. */
export function readSessionCookie(request: Request): string | undefined {
  return parseCookie(request.headers.cookie ?? '')[NAME];
}

/** Gives the browser its session token, or takes it away (null). */
export function writeSessionCookie(request: Request, response: Response, token: string | null): void {
  const cookie = stringifySetCookie({
    name: NAME,
    value: token ?? '',
    path: '/dashboard',
    httpOnly: true,
    sameSite: 'strict',
    secure: request.secure,
    maxAge: token === null ? 0 : SESSION_LIMIT / 1000,
  });
  response.append('Set-Cookie', cookie);
}
