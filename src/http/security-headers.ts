import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

type Next = (error?: unknown) => void;

/** For what is not there to be looked at: nothing may be loaded by it, nor show it in a frame. */
const DATA_HEADERS = new Map([
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'],
  ['X-Content-Type-Options', 'nosniff'],
]);

/** The headers of an answer to a program. */
export function secureData(response: ServerResponse): void {
  response.setHeaders(DATA_HEADERS);
}

// A service inside a network may be reached over plain HTTP: its pages must not ask for TLS on their own.
const securePage = helmet({ contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } });

/** An Express middleware for all answers: pages get every header that helmet knows. */
export function secure(request: IncomingMessage, response: ServerResponse, next: Next): void {
  if (!/^\/(api|webhooks)\b/i.test(request.url ?? '')) return securePage(request, response, next);
  secureData(response);
  next();
}
