import { beforeEach, describe, expect, it } from '@jest/globals';
import { DashboardUsersService } from '../../src/accounts/dashboard-users.service.js';
import { type Answer, Api } from '../support/api.js';
import '../support/matchers.js';
import { runSql } from '../support/operator.js';
import { SECRETS } from '../support/service.js';
import { useTestService } from '../support/test-service.js';

const SESSION = '/dashboard/api/session';
const ATTACKER = '198.51.100.1';
const OWNER = '203.0.113.9';

/** Wrong guesses that a stranger has before they have to wait. */
const FREE = 10;

/** Failures a minute from one address; more than that count as guessing at many users. */
const FAILURES = 30;

const service = useTestService({ TRUSTED_PROXIES: 1, THROTTLE_FAILURES: FAILURES });

/** The user of a test; each test has a new one. */
let email: string;
let count = 0;
beforeEach(async () => {
  email = `guessed${(count += 1)}@example.com`;
  await addUser(email);
  await runSql(service(), 'DELETE FROM dashboard_logins');
});

async function addUser(address: string): Promise<void> {
  const users = service().app.get(DashboardUsersService, { strict: false });
  await users.create(service().tenantId, address, SECRETS.demoPassword);
}

/** Signs in through a proxy, which appends the address that it has seen to what the caller claims. */
function signInFrom(
  address: string,
  password: string,
  { as = email, cookie = '', claims = '' } = {},
): Promise<Answer> {
  const forwarded = claims === '' ? address : `${claims}, ${address}`;
  const caller = new Api(service().url, null, { 'X-Forwarded-For': forwarded, Cookie: cookie });
  return caller.post(SESSION, { email: as, password });
}

const signIn = (address: string, options = {}) => signInFrom(address, SECRETS.demoPassword, options);

/** Guesses until the answer is a wait. @returns the number of guesses before it */
async function guessUntilRefused(
  address: string,
  options: (i: number) => { cookie?: string; claims?: string } = () => ({}),
): Promise<number> {
  for (let i = 0; ; i += 1) {
    const { status } = await signInFrom(address, `guess ${i}`, options(i));
    if (status === 429) return i;
    expect(status).toBe(401);
  }
}

/** The cookie by which a browser is recognized after a sign-in. */
async function knownBrowser(): Promise<string> {
  const cookies = (await signIn(OWNER)).headers.getSetCookie();
  return cookies.find((cookie) => cookie.startsWith('tms_known_'))?.split(';')[0] as string;
}

const waitOf = ({ headers }: Answer) => Number(headers.get('Retry-After'));

/** Lets the waits end. */
const waitHasPassed = () =>
  runSql(service(), `UPDATE dashboard_logins SET expire = expire - 86400000 WHERE key LIKE 'wait:%'`);

describe('Guesses at a user from one address', () => {
  it('have to wait longer each time, and are forgotten when one succeeds', async () => {
    expect(await guessUntilRefused(ATTACKER)).toBe(FREE);
    const waits: number[] = [];
    for (let i = 0; i < 3; i += 1) {
      const refused = await signIn(ATTACKER);
      expect(refused).toBeError(429, 'RATE_LIMITED');
      waits.push(waitOf(refused));
      await waitHasPassed();
      expect(await signInFrom(ATTACKER, 'wrong again')).toBeError(401, 'UNAUTHORIZED');
    }
    expect(waits.map((wait) => Math.ceil(wait / 30))).toEqual([1, 2, 4]);
    await waitHasPassed();
    expect((await signIn(ATTACKER)).status).toBe(200);
    expect(await guessUntilRefused(ATTACKER)).toBe(FREE);
  });

  it('do not lock the user out elsewhere', async () => {
    await guessUntilRefused(ATTACKER);
    expect((await signIn(OWNER)).status).toBe(200);
  });

  it('do not lock the user out at that very address in a known browser', async () => {
    const cookie = await knownBrowser();
    await guessUntilRefused(ATTACKER);
    expect(await signIn(ATTACKER)).toBeError(429, 'RATE_LIMITED');
    expect((await signIn(ATTACKER, { cookie })).status).toBe(200);
  });

  it('have to wait in a known browser too, when they are made there', async () => {
    const cookie = await knownBrowser();
    expect(await guessUntilRefused(ATTACKER, () => ({ cookie }))).toBe(FREE);
    expect((await signIn(ATTACKER)).status).toBe(200);
  });

  it('have to wait also with the cookie of another user, or with a forged one', async () => {
    const cookie = await knownBrowser();
    const other = 'other@example.com';
    await addUser(other);
    await guessUntilRefused(ATTACKER);
    const [name] = cookie.split('=') as [string];
    expect(await signIn(ATTACKER, { cookie: `${name}=${'A'.repeat(22)}.${'0'.repeat(64)}` })).toBeError(
      429,
      'RATE_LIMITED',
    );
    const [, otherCookie] = (await signIn(OWNER, { as: other })).headers.getSetCookie();
    const proof = (otherCookie as string).split(';')[0]?.split('=')[1];
    expect(await signIn(ATTACKER, { cookie: `${name}=${proof}` })).toBeError(429, 'RATE_LIMITED');
  });

  it('are counted for the address that the proxy has seen, whatever the caller claims', async () => {
    const forged = (i: number) => ({ claims: `192.0.2.${i}, 10.0.0.${i}` });
    expect(await guessUntilRefused(ATTACKER, forged)).toBe(FREE);
  });

  it('are counted for a whole IPv6 network, which belongs to one caller', async () => {
    for (let i = 0; i < FREE; i += 1)
      expect((await signInFrom(`2001:db8:7:7::${i}`, 'wrong')).status).toBe(401);
    expect(await signIn('2001:db8:7:7:ffff::1')).toBeError(429, 'RATE_LIMITED');
    expect((await signIn('2001:db8:7:8::1')).status).toBe(200);
  });
});

describe('Guesses at a user from many addresses', () => {
  it('leave each stranger one try, and do not lock out an address without failures', async () => {
    await signInFrom(ATTACKER, 'wrong');
    await runSql(service(), `UPDATE dashboard_logins SET points = 100 WHERE key LIKE 'account:%'`);
    expect(await signInFrom('198.51.100.2', 'wrong')).toBeError(401, 'UNAUTHORIZED');
    const refused = await signIn('198.51.100.2');
    expect(refused).toBeError(429, 'RATE_LIMITED');
    expect(Math.ceil(waitOf(refused) / 60)).toBe(1);
    expect((await signIn(OWNER)).status).toBe(200);
  });
});

describe('Guesses at many users from one address', () => {
  it('do not lock out a user without failures, and leave one try for each other user', async () => {
    const sprayed = Array.from({ length: FAILURES }, (_, i) => `nobody${i}@example.com`);
    await Promise.all(sprayed.map((as) => signInFrom(ATTACKER, 'Summer2026', { as })));
    expect((await signIn(ATTACKER)).status).toBe(200);
    const next = { as: 'nobody-more@example.com' };
    expect(await signInFrom(ATTACKER, 'Summer2026', next)).toBeError(401, 'UNAUTHORIZED');
    expect(await signInFrom(ATTACKER, 'Summer2027', next)).toBeError(429, 'RATE_LIMITED');
  });
});
