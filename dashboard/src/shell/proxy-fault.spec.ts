import { describe, expect, it } from '@jest/globals';
import { proxyFault } from './proxy-fault';

const HEADERS = ['X-Forwarded-For'];

describe('The fault of a proxy', () => {
  it.each([
    ['none, without a proxy', { secure: false, trusted_proxies: 0, ignored_headers: [] }, 'http:', null],
    ['none, with TLS and trust', { secure: true, trusted_proxies: 1, ignored_headers: [] }, 'https:', null],
    [
      'its headers are not trusted',
      { secure: false, trusted_proxies: 0, ignored_headers: HEADERS },
      'http:',
      'untrusted',
    ],
    [
      'it ends TLS unnoticed',
      { secure: false, trusted_proxies: 0, ignored_headers: [] },
      'https:',
      'untrusted',
    ],
    [
      'it does not say HTTPS',
      { secure: false, trusted_proxies: 1, ignored_headers: [] },
      'https:',
      'hides_https',
    ],
    [
      'it says HTTPS in vain',
      { secure: true, trusted_proxies: 1, ignored_headers: [] },
      'http:',
      'says_https',
    ],
  ])('is found: %s', (_what, connection, protocol, fault) => {
    expect(proxyFault(connection, protocol)).toBe(fault);
  });
});
