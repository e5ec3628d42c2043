import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

const OWN_ID = /^[\x21-\x7e]{1,128}$/;
const HEADER = 'X-Request-Id';

/** Gives each request its id, once: the caller's own where it is fit for one. */
export function assignRequestId(request: IncomingMessage, response: ServerResponse): void {
  if (response.hasHeader(HEADER)) return;
  const own = request.headers['x-request-id'];
  response.setHeader(HEADER, typeof own === 'string' && OWN_ID.test(own) ? own : randomUUID());
}

export function requestIdOf(response: ServerResponse): string {
  return String(response.getHeader(HEADER));
}
