import type { DashboardRole } from '../../src/accounts/dashboard-user.entity.js';
import type { Api } from '../support/api.js';
import { dashboardApi } from '../support/dashboard-api.js';
import type { Asker } from './dashboard-requests.js';
import type { World } from './world.js';

const ROLES: Record<Exclude<Asker, 'nobody'>, DashboardRole> = {
  owner: 'owner',
  operator: 'owner',
  forged: 'owner',
  editor: 'editor',
  viewer: 'viewer',
};

/**
 * Signed-in users, one for each kind of asker. Requests may end a session, or change the role of its user: then another
 * user signs in.
 */
export class Sessions {
  private readonly signedIn = new Map<Asker, Api>();

  constructor(private readonly world: World) {}

  /** The headers of a request of this kind of caller. */
  async headersOf(asker: Asker): Promise<Record<string, string>> {
    if (asker === 'nobody') return {};
    const { headers } = await this.apiOf(asker);
    const { 'X-CSRF-Token': _token, ...cookie } = headers;
    return asker === 'forged' ? cookie : headers;
  }

  private async apiOf(asker: Exclude<Asker, 'nobody'>): Promise<Api> {
    const role = ROLES[asker];
    const known = this.signedIn.get(asker);
    if (known && (await roleOf(known)) === role) return known;
    const api = await dashboardApi(this.world.service, role, { operator: asker === 'operator' });
    this.signedIn.set(asker, api);
    return api;
  }
}

/** The role of the user who is signed in; null when the session has ended. */
async function roleOf(api: Api): Promise<unknown> {
  const { data } = (await api.get('/dashboard/api/session')).body;
  return (data as { user?: { role?: unknown } } | null)?.user?.role ?? null;
}
