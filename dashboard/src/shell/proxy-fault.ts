import type { Connection } from '../api/session';

export type ProxyFault = 'untrusted' | 'says_https' | 'hides_https';

/**
 * What is wrong between the proxies in front of the service and what it was told of them; null when nothing is.
 * @param protocol by which the browser has opened the page, as in `https:`
 */
export function proxyFault(
  { secure, trusted_proxies, ignored_headers }: Connection,
  protocol: string,
): ProxyFault | null {
  if (ignored_headers.length > 0) return 'untrusted';
  if (protocol === 'http:' && secure) return 'says_https';
  if (protocol === 'https:' && !secure) return trusted_proxies === 0 ? 'untrusted' : 'hides_https';
  return null;
}
