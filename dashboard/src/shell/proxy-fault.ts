import type { Connection } from '../api/session';

export type ProxyFault = 'untrusted' | 'says_https' | 'hides_https';

/**
 * The contradiction between the proxies in front of the service and its configuration; null when there is none.
 * @param protocol with which the browser has opened the page, such as `https:`
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
