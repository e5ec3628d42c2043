import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';
import { pageIsSecure } from '../../http/forwarded-headers.js';
import { SESSION_LIMIT } from './sessions.service.js';

const NAME = 'tms_session';

/** The session token that the browser sent, if any. */
export function readSessionCookie(request: Request): string | undefined {
  return readCookie(request, NAME);
}

/** Gives the browser its session token; null takes the token away. */
export function writeSessionCookie(request: Request, response: Response, token: string | null): void {
  writeCookie(request, response, NAME, token ?? '', token === null ? 0 : SESSION_LIMIT / 1000);
}

export function readCookie(request: Request, name: string): string | undefined {
  return parseCookie(request.headers.cookie ?? '')[name];
}

/**
 * A cookie for the dashboard alone, which neither scripts nor other sites can use. It is Secure when the page came by
 * TLS. The browser's own headers say so more reliably than proxies do. Over plain HTTP the browser would silently drop
 * a Secure cookie, and signing in would fail.
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
