import { describe, expect, it } from '@jest/globals';
import { proxyFault } from './proxy-fault';

const HEADERS = ['X-Forwarded-For'];

describe('What is wrong with a proxy', () => {
  it.each([
    ['nothing, without one', { secure: false, trusted_proxies: 0, ignored_headers: [] }, 'http:', null],
    [
      'nothing, with TLS and trust',
      { secure: true, trusted_proxies: 1, ignored_headers: [] },
      'https:',
      null,
    ],
    [
      'its headers are not believed',
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
  ])('may be: %s', (_what, connection, protocol, fault) => {
    expect(proxyFault(connection, protocol)).toBe(fault);
  });
});
