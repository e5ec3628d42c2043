import { beforeAll, describe, expect, it } from '@jest/globals';
import { SCOPES } from '../../src/accounts/domain/scopes.js';
import { AuditLogService } from '../../src/dashboard/audit/audit-log.service.js';
import type { SessionUser } from '../../src/dashboard/sessions/session-user.js';
import type { Api } from '../support/api.js';
import { dashboardApi } from '../support/dashboard-api.js';
import '../support/matchers.js';
import { useTestService } from '../support/test-service.js';
import { addTenant } from '../support/tenants.js';

const LOG = '/dashboard/api/audit-log';

const service = useTestService();
let owner: Api;
let tenantId: string;
beforeAll(async () => {
  tenantId = (await addTenant(service())).id;
  owner = await dashboardApi(service(), 'owner', { tenantId });
});

const list = async (query = '') =>
  (await owner.get(`${LOG}?${query}`)).body as unknown as {
    data: Record<string, any>[];
    next_cursor: string | null;
  };

/** Writes entries as if this user had done something. */
async function record(email: string, action: string, count = 1): Promise<string> {
  const userId = crypto.randomUUID();
  const user = { tenantId, userId, email } as SessionUser;
  for (let n = 0; n < count; n += 1)
    await service().app.get(AuditLogService, { strict: false }).record(user, action, { n });
  return userId;
}

describe('the audit log', () => {
  it('tells who did what, when and to what, newest first', async () => {
    await owner.post('/dashboard/api/api-keys', { name: 'Backend' });
    expect((await list()).data[0]).toEqual({
      entry_id: expect.any(Number),
      user_id: expect.any(String),
      user_email: expect.stringContaining('owner'),
      action: 'api_key.created',
      details: { api_key_id: expect.any(String), name: 'Backend', expires_at: null, scopes: [...SCOPES] },
      occurred_at: expect.any(String),
    });
  });

  it('can be filtered by user and action, also for a user who was deleted', async () => {
    const userId = await record('gone@example.com', 'template.deleted');
    await record('other@example.com', 'template.deleted');
    const { data } = (await owner.get(`${LOG}/facets`)).body;
    expect(data['users']).toContainEqual({ user_id: userId, email: 'gone@example.com' });
    expect(data['actions']).toContain('template.deleted');
    expect((await list('action=template.deleted')).data).toHaveLength(2);
    expect((await list(`action=template.deleted&user_id=${userId}`)).data).toMatchObject([
      { user_email: 'gone@example.com' },
    ]);
  });

  it('comes in pages, which new entries do not shift', async () => {
    const userId = await record('busy@example.com', 'message.sent', 5);
    const first = await list(`user_id=${userId}&limit=2`);
    await record('other@example.com', 'message.sent');
    const second = await list(`user_id=${userId}&limit=2&cursor=${first.next_cursor}`);
    const third = await list(`user_id=${userId}&limit=2&cursor=${second.next_cursor}`);
    const pages = [first, second, third].map(({ data }) => data.map(({ details }) => details['n']));
    expect(pages).toEqual([[4, 3], [2, 1], [0]]);
    expect(third.next_cursor).toBeNull();
  });

  it('is for the owners of its tenant alone', async () => {
    const editor = await dashboardApi(service(), 'editor', { tenantId });
    expect(await editor.get(LOG)).toBeError(403, 'FORBIDDEN');
    const other = await dashboardApi(service(), 'owner');
    expect((await other.get(LOG)).text).not.toContain('gone@example.com');
    expect((await other.get(`${LOG}/facets`)).text).not.toContain('gone@example.com');
  });
});
