import { randomBytes } from 'node:crypto';
import { DashboardUsersService } from '../src/accounts/dashboard-users.service.js';
import { AdminContext } from '../src/admin/admin-context.js';
import { Api } from '../test/support/api.js';
import type { Deployment } from './deployment.js';

/** A user of a deployment's own tenant, who can sign in. */
export interface User {
  email: string;
  password: string;
}

export async function createUser({ database, env, accounts }: Deployment): Promise<User> {
  const { rows } = await database.query<{ id: string }>(
    'SELECT tenant_id AS id FROM messaging_accounts WHERE api_id = $1',
    [accounts.messagingAccountIds[0]],
  );
  const password = randomBytes(24).toString('base64url');
  const email = `bench-${randomBytes(8).toString('hex')}@example.com`;
  const context = await AdminContext.open(env);
  try {
    await context.get(DashboardUsersService).create(rows[0]?.id ?? '', email, password);
  } finally {
    await context.close();
  }
  return { email, password };
}

/** Signs in as the page does. @returns a caller of the dashboard's API */
export async function signIn(url: string, user: User): Promise<Api> {
  const answer = await new Api(url, null).post('/dashboard/api/session', user);
  const cookie = answer.headers.get('Set-Cookie')?.split(';')[0];
  if (answer.status !== 200 || !cookie) throw new Error(`Signing in was answered with ${answer.status}`);
  return new Api(url, null, { Cookie: cookie, 'X-CSRF-Token': answer.body.data['csrf_token'] as string });
}
