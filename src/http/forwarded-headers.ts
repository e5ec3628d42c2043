import type { IncomingHttpHeaders } from 'node:http';

const NAMES = ['X-Forwarded-For', 'X-Forwarded-Proto', 'X-Forwarded-Host'];

/** What a proxy has said of the caller: the names of the headers. Browsers send none of them by themselves. */
export function forwardedHeaders(headers: IncomingHttpHeaders): string[] {
  return NAMES.filter((name) => headers[name.toLowerCase()] !== undefined);
}

/** Whether the page of ours that sent the request came by TLS, by its own word; undefined where it does not say. */
export function pageIsSecure(headers: IncomingHttpHeaders): boolean | undefined {
  const { origin, 'sec-fetch-site': site = 'same-origin' } = headers;
  if (site !== 'same-origin') return undefined;
  if (origin?.startsWith('https://')) return true;
  return origin?.startsWith('http://') ? false : undefined;
}
