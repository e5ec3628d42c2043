import { beforeAll, describe, expect, it } from '@jest/globals';
import { hash } from '@node-rs/argon2';
import { DashboardUsersService } from '../../src/accounts/dashboard-users.service.js';
import type { Api } from '../support/api.js';
import { dashboardApi, signIn } from '../support/dashboard-api.js';
import '../support/matchers.js';
import { runSql } from '../support/operator.js';
import { SECRETS } from '../support/service.js';
import { useTestService } from '../support/test-service.js';
import { addTenant } from '../support/tenants.js';

const USERS = '/dashboard/api/users';
const PASSWORD = 'a new password for tests';

const service = useTestService();
let owner: Api;
beforeAll(async () => {
  owner = await dashboardApi(service(), 'owner');
});

const list = async (api: Api) => (await api.get(USERS)).body.data as Record<string, any>[];
const idOf = async (api: Api) => (await api.get('/dashboard/api/session')).body.data['user'].user_id;
const session = (api: Api) => api.get('/dashboard/api/session');
/** Asks for something that needs a session of any role. */
const look = (api: Api) => api.get('/dashboard/api/numbers');
const change = (api: Api, id: string, role: string) => send(api, 'PATCH', `${USERS}/${id}`, { role });
const send = (api: Api, method: string, path: string, body?: object) =>
  api.request(method, path, JSON.stringify(body), { 'Content-Type': 'application/json' });

/** Adds a tenant with that many owners, all signed in. */
async function owners(count: number): Promise<Api[]> {
  const { id: tenantId } = await addTenant(service());
  const made: Api[] = [];
  for (let i = 0; i < count; i += 1) made.push(await dashboardApi(service(), 'owner', { tenantId }));
  return made;
}

describe('users', () => {
  it('are created with a role and a password, and can sign in', async () => {
    const { status, body } = await owner.post(USERS, {
      email: 'New@Example.com',
      role: 'editor',
      password: PASSWORD,
    });
    expect(status).toBe(201);
    expect(body.data).toEqual({
      user_id: expect.any(String),
      email: 'new@example.com',
      role: 'editor',
      operator: false,
      second_factor: false,
      last_seen_at: null,
      created_at: expect.any(String),
    });
    const user = await signIn(service().url, 'new@example.com', PASSWORD);
    expect(await user.get(USERS)).toBeError(403, 'FORBIDDEN');
    expect((await list(owner)).find(({ email }) => email === 'new@example.com')).toMatchObject({
      last_seen_at: expect.any(String),
    });
    expect((await owner.get(USERS)).text).not.toContain('argon2');
  });

  it.each([
    [{ email: 'no address' }, 'email'],
    [{ email: 'demo@example.com' }, 'email'],
    [{ role: 'king' }, 'role'],
    [{ password: 'too short' }, 'password'],
    [{ password: 'Corvette2026' }, 'password'],
    [{ password: 'other@example.com' }, 'password'],
    [{ password: 'x'.repeat(100_000) }, 'password'],
    [{ operator: true }, 'operator'],
  ])('are refused with %j', async (fields, field) => {
    const body = { email: 'other@example.com', role: 'viewer', password: PASSWORD, ...fields };
    expect(await owner.post(USERS, body)).toBeError(400, 'VALIDATION_FAILED', [
      expect.objectContaining({ field }),
    ]);
  });

  it('have another role with their very next request', async () => {
    const editor = await dashboardApi(service(), 'editor');
    expect((await change(owner, await idOf(editor), 'owner')).status).toBe(200);
    expect((await editor.get(USERS)).status).toBe(200);
    await change(owner, await idOf(editor), 'viewer');
    expect(await editor.get(USERS)).toBeError(403, 'FORBIDDEN');
  });

  it('are signed out at once when they are removed', async () => {
    const viewer = await dashboardApi(service(), 'viewer');
    expect((await send(owner, 'DELETE', `${USERS}/${await idOf(viewer)}`)).status).toBe(200);
    expect(await look(viewer)).toBeError(401, 'UNAUTHORIZED');
  });

  it('are signed out when they get a new password, which they need from then on', async () => {
    const viewer = await dashboardApi(service(), 'viewer');
    const { email } = (await session(viewer)).body.data['user'];
    const path = `${USERS}/${await idOf(viewer)}/password`;
    expect(await send(owner, 'PUT', path, { password: email })).toBeError(400, 'VALIDATION_FAILED');
    expect((await look(viewer)).status).toBe(200);
    expect((await send(owner, 'PUT', path, { password: PASSWORD })).status).toBe(200);
    expect(await look(viewer)).toBeError(401, 'UNAUTHORIZED');
    await expect(signIn(service().url, email, SECRETS.demoPassword)).rejects.toThrow('401');
    expect((await look(await signIn(service().url, email, PASSWORD))).status).toBe(200);
  });

  it('of other tenants can be neither seen nor changed', async () => {
    const [theirs] = (await owners(1)) as [Api];
    const id = await idOf(theirs);
    expect((await list(owner)).map((user) => user['user_id'])).not.toContain(id);
    expect(await change(owner, id, 'viewer')).toBeError(404, 'NOT_FOUND');
    expect(await send(owner, 'PUT', `${USERS}/${id}/password`, { password: PASSWORD })).toBeError(
      404,
      'NOT_FOUND',
    );
    expect(await send(owner, 'DELETE', `${USERS}/${id}`)).toBeError(404, 'NOT_FOUND');
    expect((await look(theirs)).status).toBe(200);
  });

  it('who are operators cannot get a new password from anybody but operators', async () => {
    const operator = await dashboardApi(service(), 'viewer', { operator: true });
    const path = `${USERS}/${await idOf(operator)}/password`;
    expect(await send(owner, 'PUT', path, { password: PASSWORD })).toBeError(403, 'FORBIDDEN');
  });
});

describe('the last owner', () => {
  it('can be neither demoted nor removed', async () => {
    const [only] = (await owners(1)) as [Api];
    const id = await idOf(only);
    expect(await change(only, id, 'editor')).toBeError(409, 'CONFLICT');
    expect(await send(only, 'DELETE', `${USERS}/${id}`)).toBeError(409, 'CONFLICT');
    expect(await list(only)).toHaveLength(1);
  });

  it('remains when owners demote or remove each other at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const both = (await owners(2)) as [Api, Api];
      const [first, second] = [await idOf(both[0]), await idOf(both[1])];
      const answers = await Promise.all([
        change(both[0], second, 'viewer'),
        send(both[1], 'DELETE', `${USERS}/${first}`),
      ]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    }
  });
});

describe("one's own password", () => {
  it('keeps working although it breaks a rule that came later', async () => {
    const email = 'early@example.com';
    const users = service().app.get(DashboardUsersService, { strict: false });
    await users.create(service().tenantId, email, SECRETS.demoPassword);
    await runSql(service(), 'UPDATE dashboard_users SET password_hash = $2 WHERE email = $1', [
      email,
      await hash('password'),
    ]);
    expect((await look(await signIn(service().url, email, 'password'))).status).toBe(200);
  });

  it('is changed with the present one, which ends all other sessions', async () => {
    const users = service().app.get(DashboardUsersService, { strict: false });
    const email = 'self@example.com';
    await users.create(service().tenantId, email, SECRETS.demoPassword, { role: 'viewer' });
    const here = await signIn(service().url, email, SECRETS.demoPassword);
    const elsewhere = await signIn(service().url, email, SECRETS.demoPassword);
    const put = (current_password: string, password = PASSWORD) =>
      send(here, 'PUT', '/dashboard/api/password', { current_password, password });
    expect(await put(SECRETS.demoPassword, 'Corvette2026')).toBeError(400, 'VALIDATION_FAILED', [
      { field: 'password', message: expect.stringContaining('tried first') },
    ]);
    expect(await put('not the password')).toBeError(400, 'VALIDATION_FAILED', [
      expect.objectContaining({ field: 'current_password' }),
    ]);
    expect((await put(SECRETS.demoPassword)).status).toBe(200);
    expect((await look(here)).status).toBe(200);
    expect(await look(elsewhere)).toBeError(401, 'UNAUTHORIZED');
    await signIn(service().url, email, PASSWORD);
  });

  it('cannot be guessed by somebody who finds an open browser', async () => {
    const user = await dashboardApi(service(), 'viewer');
    const guess = (current_password: string) =>
      send(user, 'PUT', '/dashboard/api/password', { current_password, password: PASSWORD });
    for (let i = 0; i < 10; i += 1) expect((await guess(`guess ${i}`)).status).toBe(400);
    expect(await guess(SECRETS.demoPassword)).toBeError(429, 'RATE_LIMITED');
  });
});
