import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';
import { pageIsSecure } from '../../http/forwarded-headers.js';
import { SESSION_LIMIT } from './sessions.service.js';

const NAME = 'tms_session';

/** The session token that the browser sent, if any. */
export function readSessionCookie(request: Request): string | undefined {
  return readCookie(request, NAME);
}

/** Gives the browser its session token, or takes it away (null). */
export function writeSessionCookie(request: Request, response: Response, token: string | null): void {
  writeCookie(request, response, NAME, token ?? '', token === null ? 0 : SESSION_LIMIT / 1000);
}

export function readCookie(request: Request, name: string): string | undefined {
  return parseCookie(request.headers.cookie ?? '')[name];
}

/**
 * A cookie for the dashboard alone, which neither scripts nor other sites can use. It is Secure where the page came by
 * TLS: by the browser's own word, which knows better than proxies, as it would drop a Secure cookie over plain HTTP
 * without a word, and signing in would fail.
 * @param maxAge seconds
 */
export function writeCookie(
  request: Request,
  response: Response,
  name: string,
  value: string,
  maxAge: number,
): void {
  const secure = pageIsSecure(request.headers) ?? request.secure;
  const options = { path: '/dashboard', httpOnly: true, sameSite: 'strict', secure, maxAge } as const;
  response.append('Set-Cookie', stringifySetCookie({ name, value, ...options }));
}
