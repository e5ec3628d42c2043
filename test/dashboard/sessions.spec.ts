import { beforeAll, describe, expect, it } from '@jest/globals';
import { DashboardUsersService } from '../../src/accounts/dashboard-users.service.js';
import { VERSION } from '../../src/common/project.js';
import { DEMO } from '../../src/embedded/demo.js';
import { Api } from '../support/api.js';
import { dashboardApi, signIn } from '../support/dashboard-api.js';
import { eventually } from '../support/eventually.js';
import { SECRETS, startSecondService } from '../support/service.js';
import { useTestService } from '../support/test-service.js';
import '../support/matchers.js';

const HOUR = 3_600_000;
const SESSION = '/dashboard/api/session';

/** A path that needs a session of any role. */
const GUARDED = '/dashboard/api/numbers';

const service = useTestService();
let anonymous: Api;
beforeAll(async () => {
  anonymous = new Api(service().url, null);
});

const signInAnswer = (email: string, password: string) => anonymous.post(SESSION, { email, password });

describe('signing in', () => {
  it('returns the user, and sets a cookie that scripts and other sites cannot use', async () => {
    const answer = await signInAnswer('DEMO@example.com', SECRETS.demoPassword);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({
      user: {
        user_id: expect.any(String),
        email: DEMO.email,
        role: 'owner',
        operator: true,
        tenant: { tenant_id: service().tenantId, name: 'Demo shop' },
      },
      csrf_token: expect.stringMatching(/^[0-9a-f]{64}$/),
      connection: { secure: false, trusted_proxies: 0, ignored_headers: [] },
      service: { version: VERSION, clock_ahead: 0 },
    });
    const [cookie, known] = answer.headers.getSetCookie();
    expect(cookie).toMatch(
      /^tms_session=[\w-]{43}; Max-Age=604800; Path=\/dashboard; HttpOnly; SameSite=Strict$/,
    );
    expect(known).toMatch(
      /^tms_known_\w{12}=[\w-]{22}\.\w{64}; Max-Age=34560000; Path=\/dashboard; HttpOnly; SameSite=Strict$/,
    );
  });

  it('does not tell whether the user or the password was wrong', async () => {
    const password = await signInAnswer(DEMO.email, 'not the password');
    const user = await signInAnswer('nobody@example.com', 'not the password');
    expect(password).toBeError(401, 'UNAUTHORIZED', []);
    expect(user).toBeError(401, 'UNAUTHORIZED', []);
    expect(user.body.error).toEqual(password.body.error);
  });

  it.each([
    ['nothing', {}],
    ['numbers', { email: 1, password: 2 }],
    ['a list', []],
  ])('refuses %s', async (_what, body) => {
    expect(await anonymous.post(SESSION, body)).toBeError(400, 'VALIDATION_FAILED');
  });

  it('refuses an HTML form, which another site could send', async () => {
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect(await anonymous.request('POST', SESSION, 'email=a&password=b', form)).toBeError(
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    );
  });

  it('refuses guesses at a user after ten, also on another process, and lets other users in', async () => {
    const users = service().app.get(DashboardUsersService, { strict: false });
    await users.create(service().tenantId, 'guessed@example.com', SECRETS.demoPassword);
    const guesses = await Promise.all(
      Array.from({ length: 12 }, (_, i) => signInAnswer('guessed@example.com', `guess ${i}`)),
    );
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(10);
    const second = await startSecondService(service());
    const refused = await new Api(second.api.url, null).post(SESSION, {
      email: 'guessed@example.com',
      password: SECRETS.demoPassword,
    });
    await second.stop();
    expect(refused).toBeError(429, 'RATE_LIMITED');
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect((await signInAnswer(DEMO.email, SECRETS.demoPassword)).status).toBe(200);
  });

  it('does not count attempts that succeed', async () => {
    for (let i = 0; i < 12; i += 1) {
      expect((await signInAnswer(DEMO.email, SECRETS.demoPassword)).status).toBe(200);
    }
  });
});

describe('a session', () => {
  it('is needed for everything but signing in and asking who is signed in', async () => {
    const forged = new Api(service().url, null, { Cookie: `tms_session=${'A'.repeat(43)}` });
    for (const caller of [anonymous, forged]) {
      expect(await caller.get(GUARDED)).toBeError(401, 'UNAUTHORIZED');
      expect(await caller.get('/dashboard/api/anything')).toBeError(401, 'UNAUTHORIZED');
      expect(await caller.request('DELETE', SESSION)).toBeError(401, 'UNAUTHORIZED');
      expect(await caller.get(`${SESSION}/all`)).toBeError(401, 'UNAUTHORIZED');
    }
  });

  it('is described to the one who has it, and is null, not an error, for others', async () => {
    const page = await dashboardApi(service(), 'viewer');
    expect((await page.get(SESSION)).body.data).toMatchObject({
      user: { role: 'viewer' },
      csrf_token: page.headers['X-CSRF-Token'],
    });
    const forged = new Api(service().url, null, { Cookie: `tms_session=${'A'.repeat(43)}` });
    for (const caller of [anonymous, forged, service().api]) {
      expect(await caller.get(SESSION)).toMatchObject({ status: 200, body: { success: true, data: null } });
    }
  });

  it('cannot be used in place of an API key, nor a key in place of a session', async () => {
    const page = await dashboardApi(service());
    expect(await page.get('/api/v1/messages')).toBeError(401, 'UNAUTHORIZED');
    expect(await service().api.get(GUARDED)).toBeError(401, 'UNAUTHORIZED');
  });

  it('changes nothing without its own CSRF token', async () => {
    const [page, other] = [await dashboardApi(service()), await dashboardApi(service())];
    const token = other.headers['X-CSRF-Token'] as string;
    expect(await page.with({ 'X-CSRF-Token': '' }).request('DELETE', SESSION)).toBeError(403, 'FORBIDDEN');
    expect(await page.with({ 'X-CSRF-Token': token }).request('DELETE', SESSION)).toBeError(403, 'FORBIDDEN');
    expect((await page.get(GUARDED)).status).toBe(200);
  });

  it('ends by signing out, while other sessions go on', async () => {
    const [page, other] = [await dashboardApi(service()), await dashboardApi(service())];
    expect((await page.request('DELETE', SESSION)).status).toBe(200);
    expect(await page.get(GUARDED)).toBeError(401, 'UNAUTHORIZED');
    expect((await page.get(SESSION)).body.data).toBeNull();
    expect((await other.get(GUARDED)).status).toBe(200);
  });

  it('ends on every device by signing out everywhere', async () => {
    const devices = [
      await signIn(service().url, DEMO.email, SECRETS.demoPassword),
      await signIn(service().url, DEMO.email, SECRETS.demoPassword),
    ] as const;
    await devices[0].request('DELETE', `${SESSION}/all`);
    for (const device of devices) expect(await device.get(GUARDED)).toBeError(401, 'UNAUTHORIZED');
  });

  it('ends after twelve hours without use, and after a week in any case', async () => {
    const [idle, used] = [await dashboardApi(service()), await dashboardApi(service())];
    for (let hours = 0; hours < 7 * 24 - 10; hours += 10) {
      expect((await used.get(GUARDED)).status).toBe(200);
      service().clock.forward(10 * HOUR);
    }
    expect(await idle.get(GUARDED)).toBeError(401, 'UNAUTHORIZED');
    service().clock.forward(10 * HOUR);
    expect(await used.get(GUARDED)).toBeError(401, 'UNAUTHORIZED');
    expect((await used.get(SESSION)).body.data).toBeNull();
  });

  it('is not kept alive by a page that only asks who is signed in', async () => {
    const open = await dashboardApi(service());
    for (const hours of [7, 6]) {
      expect((await open.get(SESSION)).body.data).not.toBeNull();
      service().clock.forward(hours * HOUR);
    }
    expect((await open.get(SESSION)).body.data).toBeNull();
    expect(await open.get(GUARDED)).toBeError(401, 'UNAUTHORIZED');
  });

  it('survives a restart, as PostgreSQL keeps it under a hash', async () => {
    const page = await dashboardApi(service());
    const token = (page.headers['Cookie'] as string).split('=')[1] as string;
    const rows = await service().database.run<{ text: string }>({
      name: 'test_sessions',
      text: 'SELECT dashboard_sessions::text AS text FROM dashboard_sessions',
    });
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ text }) => text.includes(token))).toEqual([]);
  });
});

describe('the page', () => {
  it.each(['/dashboard', '/dashboard/', '/dashboard/templates', '/dashboard/messages/12'])(
    'is served at %s, with a policy that lets no other script run',
    async (path) => {
      const { status, headers, text } = await anonymous.get(path);
      expect(status).toBe(200);
      expect(headers.get('Content-Type')).toContain('text/html');
      expect(headers.get('Cache-Control')).toBe('no-cache');
      expect(headers.get('Content-Security-Policy')).toContain("script-src 'self';");
      expect(text).toContain('/dashboard/assets/');
    },
  );

  it('has assets that browsers keep for good, and names a missing one', async () => {
    const { text } = await anonymous.get('/dashboard');
    const asset = /\/dashboard\/assets\/[\w.-]+\.js/.exec(text)?.[0] as string;
    const { status, headers } = await anonymous.get(asset);
    expect(status).toBe(200);
    expect(headers.get('Cache-Control')).toContain('immutable');
    expect(await anonymous.get('/dashboard/assets/missing.js')).toBeError(404, 'NOT_FOUND');
  });
});

describe('the path / of the service', () => {
  it('leads to the page, unlike other paths', async () => {
    const { status, headers } = await fetch(`${service().url}/`, { redirect: 'manual' });
    expect(status).toBe(302);
    expect(headers.get('Location')).toBe('/dashboard');
    expect(await anonymous.get('/?page=1')).toMatchObject({
      status: 200,
      text: expect.stringContaining('<html'),
    });
    expect(await anonymous.get('/nothing')).toBeError(404, 'NOT_FOUND');
    expect(await anonymous.get('/index.html')).toBeError(404, 'NOT_FOUND');
    expect((await anonymous.get('/docs')).status).toBe(200);
  });

  it('is not found on a worker, which has no page', async () => {
    const worker = await startSecondService(service(), 'worker');
    const caller = new Api(worker.api.url, null);
    for (const path of ['/', '/dashboard']) expect(await caller.get(path)).toBeError(404, 'NOT_FOUND');
    await worker.stop();
  });
});

describe('an unknown path of its API', () => {
  it('is answered with NOT_FOUND like any other', async () => {
    const page = await dashboardApi(service());
    await eventually(async () =>
      expect(await page.get('/dashboard/api/nothing')).toBeError(404, 'NOT_FOUND'),
    );
  });
});
