import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DEMO } from '../../src/embedded/demo.js';
import { PortfolioUseService } from '../../src/numbers/portfolio-use.service.js';
import type { Api } from '../support/api.js';
import { BreakableRedis } from '../support/breakable-redis.js';
import { dashboardApi } from '../support/dashboard-api.js';
import { eventually } from '../support/eventually.js';
import '../support/matchers.js';
import { SECRETS, startTestService, type TestService } from '../support/service.js';
import { addTenant } from '../support/tenants.js';
import { deliver } from '../support/webhooks.js';

const NUMBERS = '/dashboard/api/numbers';
const json = { 'Content-Type': 'application/json' };

let service: TestService;
let redis: BreakableRedis;
let owner: Api;
let editor: Api;
let viewer: Api;
beforeAll(async () => {
  redis = await BreakableRedis.start();
  service = await startTestService({ REDIS_URL: redis.url, TRUSTED_PROXIES: 1 });
  owner = await dashboardApi(service, 'owner');
  editor = await dashboardApi(service, 'editor');
  viewer = await dashboardApi(service, 'viewer');
});
afterAll(async () => {
  await service.stop();
  await redis.stop();
});

const patch = (api: Api, path: string, body: unknown) =>
  api.request('PATCH', `${NUMBERS}/${path}`, JSON.stringify(body), json);
const list = async (api = viewer) => (await api.get(NUMBERS)).body.data as Record<string, any>;
const account = async (api = viewer) => (await list(api))['business_accounts'][0];
const audited = async (action: string) =>
  (
    await service.database.run<{ details: any }>(
      { name: 'test_audited', text: 'SELECT details FROM audit_log WHERE action = $1 ORDER BY id DESC' },
      [action],
    )
  )[0]?.details;

describe('the list', () => {
  it('has all that the card of each number shows, and no secret', async () => {
    await service.app.get(PortfolioUseService, { strict: false }).count();
    const answer = await eventually(async () => {
      const told = await viewer.get(NUMBERS);
      expect(told.body.data['business_accounts'][0].numbers[0].read_at).not.toBeNull();
      return told;
    });
    const { business_accounts: accounts, holds } = answer.body.data;
    expect(holds).toEqual([]);
    expect(accounts).toEqual([
      {
        business_account_id: expect.any(String),
        waba_id: DEMO.wabaId,
        app_id: DEMO.appId,
        templates: expect.any(Number),
        templates_synced_at: expect.any(String),
        webhook_seen_at: null,
        portfolio_id: null,
        recipients: 0,
        recipients_is_more: false,
        recipients_counted_at: expect.any(String),
        numbers: [expect.any(Object), expect.any(Object)],
      },
    ]);
    expect(accounts[0].numbers[0]).toEqual({
      messaging_account_id: DEMO.numbers[0].apiId,
      business_account_id: accounts[0].business_account_id,
      phone_number_id: DEMO.numbers[0].phoneNumberId,
      phone: DEMO.numbers[0].phone,
      name: DEMO.numbers[0].name,
      quality: 'GREEN',
      status: 'CONNECTED',
      throughput: 'STANDARD',
      messaging_limit: 'TIER_10K',
      read_at: expect.any(String),
      messages_per_second: 80,
      current_rate: 80,
      waiting: 0,
      waiting_is_more: false,
      due: 0,
      oldest_due_at: null,
      sent_last_minute: 0,
    });
    expect(answer.text).not.toContain(SECRETS.sandboxAccessToken);
    expect(answer.text).not.toContain(SECRETS.sandboxAppSecret);
  });

  it('counts what a number has sent just now, and its waiting messages', async () => {
    await service.api.send('+12025550100');
    const ahead = new Date(service.clock.now().getTime() + 3_600_000).toISOString();
    await service.api.send('+12025550100', { scheduled_at: ahead, timezone: 'UTC' });
    await eventually(async () =>
      expect((await account()).numbers[0]).toMatchObject({ sent_last_minute: 1, waiting: 1, due: 0 }),
    );
  });

  it('tells when a webhook has arrived last', async () => {
    await deliver(service, [
      DEMO.wabaId,
      'phone_number_quality_update',
      {
        display_phone_number: '+1 415-555-0100',
        event: 'FLAGGED',
      },
    ]);
    await eventually(async () => {
      const { webhook_seen_at: seenAt } = await account();
      expect(Date.parse(seenAt)).toBeGreaterThan(Date.now() - 60_000);
    });
  });

  it('does not count a webhook that is not genuine', async () => {
    const tenant = await addTenant(service);
    const theirs = await dashboardApi(service, 'viewer', { tenantId: tenant.id });
    const body = JSON.stringify({ entry: [{ id: tenant.wabaId, changes: [] }] });
    const signature = { ...json, 'X-Hub-Signature-256': `sha256=${'0'.repeat(64)}` };
    expect((await service.api.request('POST', '/webhooks/provider', body, signature)).status).toBe(401);
    expect((await account(theirs)).webhook_seen_at).toBeNull();
  });

  it('has nothing of another tenant', async () => {
    const tenant = await addTenant(service);
    const theirs = await dashboardApi(service, 'owner', { tenantId: tenant.id });
    const { business_accounts: accounts } = await list(theirs);
    expect(accounts.map(({ waba_id }: any) => waba_id)).toEqual([tenant.wabaId]);
    const ours = await account();
    const id = ours.business_account_id;
    for (const answer of [
      await patch(theirs, `business-accounts/${id}`, { app_id: '2' }),
      await patch(theirs, DEMO.numbers[0].apiId, { name: 'Mine' }),
      await theirs.post(`${NUMBERS}/test`, { business_account_id: id, phone_number_id: '1' }),
      await patch(theirs, 'business-accounts/nonsense', { app_id: '2' }),
    ]) {
      expect(answer).toBeError(404, 'ACCOUNT_NOT_FOUND');
    }
  });
});

describe('a hold', () => {
  it('is shown with its cause, and can be lifted by an editor', async () => {
    service.sandbox.control.revokeToken(DEMO.wabaId);
    const sent = await service.api.send('+12025550100');
    const hold = await eventually(async () => {
      const { holds } = await list();
      expect(holds).toHaveLength(1);
      return holds[0];
    });
    expect(hold).toMatchObject({
      scope: 'business_account',
      cause: 'auth',
      error: { code: 190 },
      business_account_id: (await account()).business_account_id,
      number: null,
      template: null,
      next_probe_at: expect.any(String),
    });
    service.sandbox.control.restoreToken(DEMO.wabaId);
    expect(await viewer.post(`${NUMBERS}/holds/${hold.hold_id}/lift`)).toBeError(403, 'FORBIDDEN');
    const other = await addTenant(service);
    const theirs = await dashboardApi(service, 'owner', { tenantId: other.id });
    expect(await theirs.post(`${NUMBERS}/holds/${hold.hold_id}/lift`)).toBeError(404, 'NOT_FOUND');
    expect((await editor.post(`${NUMBERS}/holds/${hold.hold_id}/lift`)).status).toBe(200);
    expect((await list())['holds']).toEqual([]);
    expect(await audited('hold.lifted')).toMatchObject({
      hold_id: hold.hold_id,
      cause: 'auth',
      error_code: 190,
    });
    await eventually(async () =>
      expect((await service.api.message(sent.body.data['message_log_id']))['status']).toBe('read'),
    );
    expect(await editor.post(`${NUMBERS}/holds/${hold.hold_id}/lift`)).toBeError(404, 'NOT_FOUND');
  });

  it('on a template names it, and how many messages wait for it', async () => {
    const sent = await service.api.send('+12025550150');
    await eventually(async () =>
      expect((await list())['holds']).toMatchObject([
        {
          scope: 'template',
          cause: 'template_recoverable',
          template: { name: 'order_update', language: 'en_US' },
        },
      ]),
    );
    const [{ hold_id }] = (await list())['holds'];
    await editor.post(`${NUMBERS}/holds/${hold_id}/lift`);
    await eventually(async () =>
      expect((await service.api.message(sent.body.data['message_log_id']))['status']).toBe('read'),
    );
  });
});

describe('the webhook', () => {
  it('has the same host as the request for the page', async () => {
    expect((await viewer.get(`${NUMBERS}/webhook`)).body.data).toEqual({
      url: `${service.url}/webhooks/provider`,
    });
    const proxied = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'messages.example.com' };
    expect((await viewer.get(`${NUMBERS}/webhook`, proxied)).body.data).toEqual({
      url: 'https://messages.example.com/webhooks/provider',
    });
  });

  it('shows its verify token to owners alone', async () => {
    expect(await editor.get(`${NUMBERS}/webhook/verify-token`)).toBeError(403, 'FORBIDDEN');
    expect((await owner.get(`${NUMBERS}/webhook/verify-token`)).body.data).toEqual({
      verify_token: SECRETS.webhookVerifyToken,
    });
  });
});

describe('without Redis', () => {
  it('the rate is unknown, and the rest is shown', async () => {
    await redis.break();
    await eventually(async () => expect((await account()).numbers[0].current_rate).toBeNull());
    expect((await account()).numbers[0]).toMatchObject({ messages_per_second: 80 });
    await redis.mend();
    await eventually(async () => expect((await account()).numbers[0].current_rate).toBeGreaterThan(0));
  });
});
