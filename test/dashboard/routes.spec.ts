import { beforeAll, describe, expect, it } from '@jest/globals';
import { Api } from '../support/api.js';
import { dashboardApi } from '../support/dashboard-api.js';
import '../support/matchers.js';
import { pathOf, routesOf } from '../support/routes.js';
import { useTestService } from '../support/test-service.js';

const service = useTestService();
let routes: { method: string; path: string }[];
beforeAll(async () => {
  routes = routesOf(service(), '/dashboard/api/').map((route) => ({
    method: route.method,
    path: pathOf(route, () => 1),
  }));
});

const SIGN_IN = 'POST /dashboard/api/session';

/** Routes for visitors too: they may sign in, and ask whether somebody is signed in. */
const FOR_VISITORS = new Set([SIGN_IN, 'GET /dashboard/api/session']);

/** Routes whatever the role: for a user's own things, and for operators (rate-card.spec.ts). */
const WHATEVER_ROLE = new Set([
  'DELETE /dashboard/api/session',
  'DELETE /dashboard/api/session/all',
  'PUT /dashboard/api/password',
  'POST /dashboard/api/alerts/read',
  'POST /dashboard/api/alerts/1/read',
  'POST /dashboard/api/second-factor',
  'POST /dashboard/api/second-factor/turn-on',
  'POST /dashboard/api/second-factor/recovery-codes',
  'DELETE /dashboard/api/second-factor',
  'POST /dashboard/api/rate-cards',
]);

const named = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

describe('Every route of the dashboard’s API', () => {
  it('needs a session', async () => {
    const anonymous = new Api(service().url, null);
    expect(routes.length).toBeGreaterThan(40);
    for (const route of routes) {
      if (FOR_VISITORS.has(named(route))) continue;
      expect(await anonymous.request(route.method, route.path)).toBeError(401, 'UNAUTHORIZED', []);
    }
  });

  it('that changes something needs the CSRF token', async () => {
    const forged = (await dashboardApi(service())).with({ 'X-CSRF-Token': '' });
    for (const route of routes) {
      if (route.method === 'GET' || named(route) === SIGN_IN) continue;
      expect(await forged.request(route.method, route.path)).toBeError(403, 'FORBIDDEN', []);
    }
  });

  it('that changes something is closed to viewers', async () => {
    const viewer = await dashboardApi(service(), 'viewer');
    const open: string[] = [];
    for (const route of routes) {
      if (route.method === 'GET' || WHATEVER_ROLE.has(named(route)) || named(route) === SIGN_IN) continue;
      const { status, body } = await viewer.request(route.method, route.path);
      if (status !== 403 || body.error.code !== 'FORBIDDEN') open.push(named(route));
    }
    expect(open).toEqual([]);
  });
});
