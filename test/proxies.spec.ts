import { describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { DEMO } from '../src/embedded/demo.js';
import { Api } from './support/api.js';
import './support/matchers.js';
import { SECRETS } from './support/service.js';
import { useTestService } from './support/test-service.js';

const SESSION = '/dashboard/api/session';
const FAILURES = 4;

const direct = useTestService();
const proxied = useTestService({ TRUSTED_PROXIES: 1, THROTTLE_FAILURES: FAILURES });

/** Signs in as the demo's owner. */
const signIn = (service: typeof direct, headers: Record<string, string>) =>
  new Api(service().url, null, headers).post(SESSION, {
    email: DEMO.email,
    password: SECRETS.demoPassword,
  });

const sessionCookie = ({ headers }: { headers: Headers }) => headers.getSetCookie()[0];

const ABOUT_PROXIES = /TRUSTED_PROXIES|proxy/;

/** The warnings about proxies that are logged during the work. */
async function warningsOf(work: () => Promise<unknown>): Promise<string[]> {
  const warn = jest.spyOn(Logger.prototype, 'warn');
  await work();
  const warnings = warn.mock.calls
    .map(([message]) => String(message))
    .filter((one) => ABOUT_PROXIES.test(one));
  warn.mockRestore();
  return warnings;
}

describe('A proxy that is not trusted', () => {
  it('is reported once in the log, and to each user who signs in through it', async () => {
    const headers = { 'X-Forwarded-For': '203.0.113.7', 'X-Forwarded-Proto': 'https' };
    const warnings = await warningsOf(async () => {
      for (let i = 0; i < 3; i += 1) await new Api(direct().url, null, headers).get('/health/live');
      await direct().api.get('/api/v1/templates?messaging_account_id=x', headers);
    });
    expect(warnings).toEqual([expect.stringContaining('set TRUSTED_PROXIES to the number of proxies')]);
    const { body } = await signIn(direct, headers);
    expect(body.data['connection']).toEqual({
      secure: false,
      trusted_proxies: 0,
      ignored_headers: ['X-Forwarded-For', 'X-Forwarded-Proto'],
    });
  });

  it('is not reported to a user who signs in without it', async () => {
    expect((await signIn(direct, {})).body.data['connection']).toMatchObject({ ignored_headers: [] });
    expect((await signIn(proxied, { 'X-Forwarded-For': '::1' })).body.data['connection']).toMatchObject({
      trusted_proxies: 1,
      ignored_headers: [],
    });
  });
});

describe('The session cookie', () => {
  it('is Secure when the page came over TLS, as the proxy or the browser says', async () => {
    expect(sessionCookie(await signIn(proxied, { 'X-Forwarded-Proto': 'https' }))).toContain('; Secure');
    expect(sessionCookie(await signIn(direct, { Origin: 'https://shop.example' }))).toContain('; Secure');
    expect(sessionCookie(await signIn(direct, { 'X-Forwarded-Proto': 'https' }))).not.toContain('Secure');
  });

  it('is not Secure when the browser would drop it, and the log says once what is wrong', async () => {
    const headers = { 'X-Forwarded-Proto': 'https', Origin: 'http://shop.example' };
    const warnings = await warningsOf(async () => {
      for (let i = 0; i < 2; i += 1)
        expect(sessionCookie(await signIn(proxied, headers))).not.toContain('Secure');
    });
    expect(warnings).toEqual([expect.stringContaining('opened the dashboard over plain HTTP')]);
  });
});

describe('The address for which failed authentications are counted', () => {
  it('is the one that the trusted proxy has seen, not the one that the caller claims', async () => {
    const guess = (forwarded: string) =>
      new Api(proxied().url, `tms_${'x'.repeat(40)}`, { 'X-Forwarded-For': forwarded }).get(
        '/api/v1/messages',
      );
    for (let i = 0; i < FAILURES; i += 1)
      expect(await guess(`192.0.2.${i}, 198.51.100.7`)).toBeError(401, 'UNAUTHORIZED');
    expect(await guess('192.0.2.99, 198.51.100.7')).toBeError(429, 'RATE_LIMITED');
    expect(await guess('198.51.100.7, 198.51.100.8')).toBeError(401, 'UNAUTHORIZED');
  });
});
