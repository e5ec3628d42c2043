import { DashboardUsersService } from '../../src/accounts/dashboard-users.service.js';
import type { DashboardRole } from '../../src/accounts/dashboard-user.entity.js';
import { Api } from './api.js';
import { SECRETS, type TestService } from './service.js';

/** Signs in as the page does. @returns a caller of /dashboard/api that carries the session and its CSRF token */
export async function signIn(url: string, email: string, password: string): Promise<Api> {
  const answer = await new Api(url, null).post('/dashboard/api/session', { email, password });
  const cookie = answer.headers.get('Set-Cookie')?.split(';')[0];
  if (answer.status !== 200 || !cookie)
    throw new Error(`Signing in answered ${answer.status}: ${answer.text}`);
  return new Api(url, null, { Cookie: cookie, 'X-CSRF-Token': answer.body.data['csrf_token'] });
}

let count = 0;

/** Makes a user of a tenant, by default the demo's, and signs in. */
export async function dashboardApi(
  service: TestService,
  role: DashboardRole = 'owner',
  { tenantId = service.tenantId, operator = false } = {},
): Promise<Api> {
  const email = `${role}${(count += 1)}@example.com`;
  const users = service.app.get(DashboardUsersService, { strict: false });
  await users.create(tenantId, email, SECRETS.demoPassword, { role, operator });
  return signIn(service.url, email, SECRETS.demoPassword);
}
