import { beforeAll, describe, expect, it } from '@jest/globals';
import type { DashboardRole } from '../../src/accounts/dashboard-user.entity.js';
import { SecretBox } from '../../src/accounts/secret-box.js';
import { Api } from '../support/api.js';
import { dashboardApi, signIn } from '../support/dashboard-api.js';
import '../support/matchers.js';
import { runSql } from '../support/operator.js';
import { CodeApp, SECOND_FACTOR, turnOn } from '../support/second-factor.js';
import { SECRETS } from '../support/service.js';
import { addTenant } from '../support/tenants.js';
import { useTestService } from '../support/test-service.js';

const PASSWORD = SECRETS.demoPassword;
const WRONG_CODE = '000000';

const service = useTestService({ TRUSTED_PROXIES: 1 });
let owner: Api;
beforeAll(async () => {
  owner = await dashboardApi(service());
});

const userOf = async (api: Api) => (await api.get('/dashboard/api/session')).body.data['user'];
const emailOf = async (api: Api) => (await userOf(api)).email as string;
const idOf = async (api: Api) => (await userOf(api)).user_id as string;
/** Asks for something that needs a session of any role. */
const look = async (api: Api) => (await api.get('/dashboard/api/numbers')).status;
const remove = (api: Api, path: string, body?: object) =>
  api.request('DELETE', path, JSON.stringify(body), { 'Content-Type': 'application/json' });

/** Signs in from an unknown browser. */
const enter = (email: string, code?: string, password = PASSWORD, headers = {}) =>
  new Api(service().url, null, headers).post('/dashboard/api/session', {
    email,
    password,
    ...(code !== undefined && { code }),
  });

/** A user with a second factor. */
async function secured(role: DashboardRole = 'owner', options = {}) {
  const api = await dashboardApi(service(), role, options);
  return { api, email: await emailOf(api), ...(await turnOn(service(), api)) };
}

/** The entries of the audit log with this action. */
async function audited(action: string): Promise<Record<string, any>[]> {
  return runSql(service(), 'SELECT * FROM audit_log WHERE action = $1 ORDER BY id DESC', [action]);
}

describe('A second factor', () => {
  it('is set up with the password and a first code, and ends all other sessions', async () => {
    const user = await dashboardApi(service(), 'viewer');
    const email = await emailOf(user);
    const elsewhere = await signIn(service().url, email, PASSWORD);
    expect(await user.post(SECOND_FACTOR, { password: 'not the password' })).toBeError(
      400,
      'VALIDATION_FAILED',
      [expect.objectContaining({ field: 'password' })],
    );
    const begun = await user.post(SECOND_FACTOR, { password: PASSWORD });
    expect(begun.status).toBe(201);
    const { secret, uri } = begun.body.data;
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(uri).toContain(`secret=${secret}`);
    expect((await enter(email)).status).toBe(200);

    const app = new CodeApp(service(), secret as string);
    expect(await user.post(`${SECOND_FACTOR}/turn-on`, { code: WRONG_CODE })).toBeError(
      400,
      'VALIDATION_FAILED',
      [expect.objectContaining({ field: 'code' })],
    );
    const { body } = await user.post(`${SECOND_FACTOR}/turn-on`, { code: app.code() });
    expect(new Set(body.data['recovery_codes']).size).toBe(10);
    expect((await user.get(SECOND_FACTOR)).body.data).toEqual({
      turned_on_at: expect.any(String),
      recovery_codes_left: 10,
    });
    expect([await look(user), await look(elsewhere)]).toEqual([200, 401]);
    expect((await audited('second_factor.turned_on'))[0]).toMatchObject({ user_email: email });
    expect(await user.post(SECOND_FACTOR, { password: PASSWORD })).toBeError(409, 'CONFLICT');
  });

  it('is asked for after the password, and only then', async () => {
    const { email, app } = await secured();
    expect(await enter(email)).toBeError(401, 'SECOND_FACTOR_REQUIRED', []);
    expect(await enter(email, undefined, 'not the password')).toBeError(401, 'UNAUTHORIZED', []);
    expect(await enter(email, app.next(), 'not the password')).toBeError(401, 'UNAUTHORIZED', []);
    expect(await enter(email, WRONG_CODE)).toBeError(401, 'UNAUTHORIZED', [
      expect.objectContaining({ field: 'code' }),
    ]);
    const { status, headers } = await enter(email, app.code());
    expect(status).toBe(200);
    expect(headers.getSetCookie()[0]).toMatch(/^tms_session=/);
  });

  it('accepts each code once, and none that is older than the last one', async () => {
    const { email, app } = await secured();
    const code = app.next();
    const answers = await Promise.all([enter(email, code), enter(email, code), enter(email, code)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401]);
    expect((await enter(email, app.code(-1))).status).toBe(401);
    expect((await enter(email, app.code(1))).status).toBe(200);
  });

  it('does not accept the code that was used to turn it on', async () => {
    const { email, code } = await secured();
    expect((await enter(email, code)).status).toBe(401);
  });

  it('accepts a code from a clock that is wrong by one step, not by two', async () => {
    const { email, app } = await secured();
    for (let i = 0; i < 10; i += 1) app.next();
    for (const [steps, status] of [
      [-2, 401],
      [2, 401],
      [-1, 200],
      [1, 200],
    ] as const) {
      app.next();
      expect([steps, (await enter(email, app.code(steps))).status]).toEqual([steps, status]);
    }
  });

  it('can be replaced by each recovery code once, however the code is typed', async () => {
    const { email, recoveryCodes, api } = await secured();
    const [first, second] = recoveryCodes as [string, string];
    expect((await enter(email, first)).status).toBe(200);
    expect((await enter(email, first)).status).toBe(401);
    expect((await enter(email, second.toUpperCase().replaceAll('-', ' '))).status).toBe(200);
    expect((await api.get(SECOND_FACTOR)).body.data).toMatchObject({ recovery_codes_left: 8 });
    expect((await audited('second_factor.recovery_code_used'))[0]).toMatchObject({ user_email: email });
  });

  it('cannot be guessed faster than a password, from however many addresses', async () => {
    const { email, app } = await secured();
    const known = (await enter(email, app.next())).headers.getSetCookie()[1] as string;
    const from = (i: number) => ({ 'X-Forwarded-For': `198.51.100.${i}` });
    const guess = (i: number) => enter(email, WRONG_CODE, PASSWORD, from(i));
    const guesses = await Promise.all(Array.from({ length: 12 }, (_, i) => guess(i)));
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(10);
    await runSql(service(), `UPDATE dashboard_logins SET expire = expire - 86400000 WHERE key LIKE 'wait:%'`);
    expect((await guess(100)).status).toBe(401);
    const refused = await enter(email, app.next(), PASSWORD, from(101));
    expect(refused).toBeError(429, 'RATE_LIMITED');
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(30);
    const cookie = known.split(';')[0] as string;
    expect((await enter(email, app.next(), PASSWORD, { Cookie: cookie })).status).toBe(200);
  });

  it('cannot be guessed faster by signing in with the password alone in between', async () => {
    const { email } = await secured();
    let guesses = 0;
    while ((await enter(email, WRONG_CODE)).status === 401) {
      guesses += 1;
      await enter(email);
    }
    expect(guesses).toBe(10);
  });

  it('is turned off with the password and a code, not with one of them alone', async () => {
    const { api, email, app } = await secured();
    const field = (name: string) => [expect.objectContaining({ field: name })];
    const off = (password: string, code: string) => remove(api, SECOND_FACTOR, { password, code });
    expect(await off('not the password', app.next())).toBeError(400, 'VALIDATION_FAILED', field('password'));
    expect(await off(PASSWORD, WRONG_CODE)).toBeError(400, 'VALIDATION_FAILED', field('code'));
    expect((await off(PASSWORD, app.code())).status).toBe(200);
    expect((await enter(email)).status).toBe(200);
    expect((await api.get(SECOND_FACTOR)).body.data).toMatchObject({ turned_on_at: null });
    expect((await audited('second_factor.turned_off'))[0]).toMatchObject({ user_email: email });
  });

  it('gets new recovery codes with the password and a code, and loses the old ones', async () => {
    const { api, email, app, recoveryCodes } = await secured();
    const renew = (code: string) => api.post(`${SECOND_FACTOR}/recovery-codes`, { password: PASSWORD, code });
    expect(await renew(WRONG_CODE)).toBeError(400, 'VALIDATION_FAILED');
    const fresh = (await renew(app.next())).body.data['recovery_codes'] as string[];
    expect(fresh).toHaveLength(10);
    expect((await enter(email, recoveryCodes[0])).status).toBe(401);
    expect((await enter(email, fresh[0])).status).toBe(200);
    expect((await audited('second_factor.recovery_codes_renewed'))[0]).toMatchObject({ user_email: email });
  });

  it('is stored so that somebody who reads the database cannot use it', async () => {
    const { app, recoveryCodes } = await secured();
    const [rows] = await runSql(service(), 'SELECT json_agg(f)::text AS text FROM second_factors f');
    expect(rows?.['text']).not.toContain(app.secret);
    for (const code of recoveryCodes) {
      expect(rows?.['text']).not.toContain(code);
      expect(rows?.['text']).not.toContain(code.replaceAll('-', ''));
    }
    const box = service().app.get(SecretBox, { strict: false });
    const sealed = await runSql(service(), 'SELECT secret FROM second_factors');
    expect(sealed.map(({ secret }) => box.open(secret))).toContain(app.secret);
  });
});

describe('Somebody else’s second factor', () => {
  const path = async (user: Api) => `/dashboard/api/users/${await idOf(user)}/second-factor`;

  it('is reset by an owner, which ends the user’s sessions and is in the audit log', async () => {
    const { api, email } = await secured('editor');
    const of = await path(api);
    const users = (await owner.get('/dashboard/api/users')).body.data as unknown as Record<string, any>[];
    expect(users.find((user) => user['email'] === email)).toMatchObject({ second_factor: true });
    expect((await remove(owner, of)).status).toBe(200);
    expect(await look(api)).toBe(401);
    expect((await enter(email)).status).toBe(200);
    expect(await remove(owner, of)).toBeError(409, 'CONFLICT');
    expect((await audited('user.second_factor_reset'))[0]).toMatchObject({
      user_email: await emailOf(owner),
      details: { email },
    });
  });

  it('cannot be reset by editors or other tenants, nor can an operator’s by an owner', async () => {
    const { id: tenantId } = await addTenant(service());
    const stranger = await dashboardApi(service(), 'owner', { tenantId });
    const { api } = await secured('viewer');
    expect(await remove(await dashboardApi(service(), 'editor'), await path(api))).toBeError(
      403,
      'FORBIDDEN',
    );
    expect(await remove(stranger, await path(api))).toBeError(404, 'NOT_FOUND');
    const operator = await secured('viewer', { operator: true });
    expect(await remove(owner, await path(operator.api))).toBeError(403, 'FORBIDDEN');
  });

  it('is reset in a way that an owner cannot use for their own', async () => {
    const { api } = await secured('owner');
    expect(await remove(api, await path(api))).toBeError(409, 'CONFLICT');
  });
});
