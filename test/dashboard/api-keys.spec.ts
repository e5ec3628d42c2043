import { beforeAll, describe, expect, it } from '@jest/globals';
import { SCOPES } from '../../src/accounts/domain/scopes.js';
import { ApiKeysService } from '../../src/accounts/api-keys.service.js';
import { Api } from '../support/api.js';
import { dashboardApi } from '../support/dashboard-api.js';
import { eventually } from '../support/eventually.js';
import '../support/matchers.js';
import { useTestService } from '../support/test-service.js';
import { addTenant } from '../support/tenants.js';

const KEYS = '/dashboard/api/api-keys';
const MINUTE = 60_000;

const service = useTestService();
let owner: Api;
beforeAll(async () => {
  owner = await dashboardApi(service(), 'owner');
});

const list = async () => (await owner.get(KEYS)).body.data as Record<string, any>[];
const find = async (id: string) => (await list()).find((key) => key['api_key_id'] === id);

async function create(fields: object = {}): Promise<{ id: string; caller: Api }> {
  const { body } = await owner.post(KEYS, { name: 'Backend', ...fields });
  return { id: body.data['api_key_id'], caller: new Api(service().url, body.data['api_key']) };
}

describe('an API key of the dashboard', () => {
  it('is shown once, and works for its tenant immediately', async () => {
    const { body, status } = await owner.post(KEYS, { name: ' Backend ' });
    expect(status).toBe(201);
    expect(body.data).toEqual({
      api_key_id: expect.any(String),
      api_key: expect.stringMatching(/^tms_[A-Za-z0-9]{40}$/),
    });
    const { text } = await owner.get(KEYS);
    expect(text).not.toContain(body.data['api_key']);
    expect((await new Api(service().url, body.data['api_key']).get('/api/v1/messages')).status).toBe(200);
  });

  it('shows when it was last used, to the minute', async () => {
    const { id, caller } = await create({ name: 'Used' });
    expect(await find(id)).toMatchObject({ name: 'Used', last_used_at: null, revoked_at: null });
    await caller.get('/api/v1/messages');
    await eventually(async () => expect(await find(id)).toMatchObject({ last_used_at: expect.any(String) }));
    const first = (await find(id))?.['last_used_at'];
    service().clock.forward(2 * MINUTE);
    await caller.get('/api/v1/messages');
    await eventually(async () => expect((await find(id))?.['last_used_at']).not.toBe(first));
  });

  it('stops working when it is revoked, which may be repeated', async () => {
    const { id, caller } = await create();
    expect((await caller.get('/api/v1/messages')).status).toBe(200);
    for (let i = 0; i < 2; i += 1) expect((await owner.request('DELETE', `${KEYS}/${id}`)).status).toBe(200);
    expect(await caller.get('/api/v1/messages')).toBeError(401, 'UNAUTHORIZED');
    expect(await find(id)).toMatchObject({ revoked_at: expect.any(String) });
  });

  it('ends at its expiry, which must be in the future', async () => {
    const at = (offset: number) => new Date(service().clock.now().getTime() + offset).toISOString();
    expect(await owner.post(KEYS, { name: 'Late', expires_at: at(-MINUTE) })).toBeError(
      400,
      'VALIDATION_FAILED',
      [expect.objectContaining({ field: 'expires_at' })],
    );
    const { caller } = await create({ expires_at: at(MINUTE) });
    expect((await caller.get('/api/v1/messages')).status).toBe(200);
    service().clock.forward(2 * MINUTE);
    expect(await caller.get('/api/v1/messages')).toBeError(401, 'UNAUTHORIZED');
  });

  it('may do everything, or what its scopes say', async () => {
    const whole = await create();
    expect(await find(whole.id)).toMatchObject({ scopes: [...SCOPES] });
    const { id, caller } = await create({ scopes: ['templates:read', 'messages:read'] });
    expect(await find(id)).toMatchObject({ scopes: ['messages:read', 'templates:read'] });
    expect((await caller.get('/api/v1/messages')).status).toBe(200);
    expect(await caller.send('+12025550100')).toBeError(403, 'SCOPE_MISSING', [{ scope: 'messages:send' }]);
  });

  it.each(
    [[], ['messages:send', 'messages:send'], ['all'], [1], 'messages:send', null].map((scopes) => [scopes]),
  )('has scopes that there are, each once, and not none: %j', async (scopes) => {
    const answer = await owner.post(KEYS, { name: 'Wrong', scopes });
    expect(answer).toBeError(400, 'VALIDATION_FAILED');
    expect(answer.body.error.details[0]).toMatchObject({ field: 'scopes' });
  });

  it.each([{ name: ' ' }, { name: 'x'.repeat(101) }, {}])('needs a name: %j', async (body) => {
    expect(await owner.post(KEYS, body)).toBeError(400, 'VALIDATION_FAILED', [
      expect.objectContaining({ field: 'name' }),
    ]);
  });
});

describe('API keys', () => {
  it.each(['editor', 'viewer'] as const)(
    'are neither shown nor changed for a user with the role %s',
    async (role) => {
      const user = await dashboardApi(service(), role);
      expect(await user.get(KEYS)).toBeError(403, 'FORBIDDEN');
      expect(await user.post(KEYS, { name: 'Mine' })).toBeError(403, 'FORBIDDEN');
    },
  );

  it('of other tenants and of the platform are neither seen nor revoked', async () => {
    const other = await addTenant(service());
    const keys = service().app.get(ApiKeysService, { strict: false });
    const platform = await keys.create(null, 'Platform');
    const ids = (await list()).map((key) => key['api_key_id']);
    for (const id of [other.apiKeyId, platform.id, 'nonsense']) {
      expect(ids).not.toContain(id);
      expect(await owner.request('DELETE', `${KEYS}/${id}`)).toBeError(404, 'NOT_FOUND');
    }
    expect((await other.api.get('/api/v1/messages')).status).toBe(200);
  });
});
