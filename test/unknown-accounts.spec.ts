import { describe, expect, it, jest } from '@jest/globals';
import { AccountsService } from '../src/accounts/accounts.service.js';
import { DEMO } from '../src/embedded/demo.js';
import { HoldsService } from '../src/outbox/holds/holds.service.js';
import { dashboardApi } from './support/dashboard-api.js';
import { eventually } from './support/eventually.js';
import { SECRETS } from './support/service.js';
import { useTestService } from './support/test-service.js';
import { deliver, deliverText, receipt } from './support/webhooks.js';

const service = useTestService();

const run = <Row extends object>(text: string, values: unknown[] = []) =>
  service().database.run<Row>({ name: '', text }, values);

const inbox = () =>
  run<Record<string, any>>(
    'SELECT id, payload, processed_at, parked_at, unknown_accounts FROM webhook_inbox',
  );

/** The unknown accounts for which operators have an open alert. */
async function alerted(): Promise<string[]> {
  const rows = await run<{ subject: string }>(
    `SELECT subject FROM alerts WHERE kind = 'unknown_account' AND ended_at IS NULL ORDER BY subject`,
  );
  return rows.map(({ subject }) => subject);
}

const unknownDeliveries = async () =>
  Number(
    /tms_webhooks_total\{effect="unknown_account"\} (\d+)/.exec(
      (await service().api.get('/metrics')).text,
    )?.[1] ?? 0,
  );

const pin = (event = 'PIN_CHANGED') => ({ display_phone_number: '1', event });

describe('A test delivery of the provider’s console', () => {
  const test = (padding = '') =>
    JSON.stringify({
      object: 'whatsapp_business_account',
      entry: [{ id: '0', padding, changes: [{ field: 'security', value: pin() }] }],
    });

  it('is answered with 200 when it is signed with the secret of any account, and does nothing', async () => {
    const accounts = service().app.get(AccountsService, { strict: false });
    expect((await deliverText(service(), test())).status).toBe(200);
    expect((await deliverText(service(), test(), 'a second secret')).status).toBe(401);
    await accounts.addBusinessAccount({
      tenantId: service().tenantId,
      wabaId: '300300300300301',
      appId: null,
      accessToken: 'token',
      appSecret: 'a second secret',
    });
    expect((await deliverText(service(), test(), 'a second secret')).status).toBe(200);
    expect(await inbox()).toEqual([]);
    expect(await run('SELECT id FROM alerts')).toEqual([]);
  });

  it('is refused with 401 when no account’s secret has signed it, or when it is larger than test deliveries are', async () => {
    expect((await deliverText(service(), test(), 'nobody’s secret')).status).toBe(401);
    expect((await deliverText(service(), test('x'.repeat(20_000)))).status).toBe(401);
    expect(await alerted()).toEqual([]);
  });
});

describe('A delivery for an unknown account', () => {
  it('is refused with 401, counted, and raises an alert for operators with its id', async () => {
    const before = await unknownDeliveries();
    expect((await deliver(service(), ['404404404404404', 'security', pin()])).status).toBe(401);
    await eventually(async () => expect(await alerted()).toEqual(['404404404404404']));
    expect((await unknownDeliveries()) - before).toBe(1);
    expect(await inbox()).toEqual([]);
    const operator = await dashboardApi(service(), 'owner', { operator: true });
    expect((await operator.get('/dashboard/api/alerts')).body.data).toEqual([
      expect.objectContaining({ kind: 'unknown_account', text: expect.stringContaining('404404404404404') }),
    ]);
    const owner = await dashboardApi(service(), 'owner');
    expect((await owner.get('/dashboard/api/alerts')).body.data).toEqual([]);
  });

  it('does not fill the table of alerts, however many ids somebody makes up', async () => {
    for (let made = 0; made < 40; made += 1)
      await deliver(service(), [String(500_000_000_000 + made), 'security', pin()]);
    await deliver(service(), ['<script>', 'security', pin()]);
    await eventually(async () => expect(await alerted()).toContain('others'));
    expect((await alerted()).length).toBeLessThanOrEqual(21);
    await run('DELETE FROM alerts');
  });

  it('and for 998 more costs no lookup, and is accepted when one of the accounts is known', async () => {
    const accounts = service().app.get(AccountsService, { strict: false });
    const lookUps = jest.spyOn(accounts, 'secretsOfWaba');
    const many = Array.from(
      { length: 999 },
      (_, n) => [String(800_000_000_000 + n), 'security', pin()] as [string, string, unknown],
    );
    expect((await deliver(service(), ...many)).status).toBe(401);
    expect(lookUps).not.toHaveBeenCalled();
    jest.restoreAllMocks();
    expect((await deliver(service(), ...many, [DEMO.wabaId, 'a_field_of_the_future', {}])).status).toBe(200);
    await eventually(async () =>
      expect((await inbox()).find(({ parked_at: at }) => at !== null)?.['unknown_accounts']).toHaveLength(
        999,
      ),
    );
    await run('DELETE FROM alerts');
    await run('DELETE FROM webhook_inbox');
  });

  it('and for a known one is applied to the known one, and waits for the other', async () => {
    const accounts = service().app.get(AccountsService, { strict: false });
    const sent = await service().api.send('+12025550102');
    const id = sent.body.data['message_log_id'] as number;
    const wamid = await eventually(async () => {
      const message = await service().api.message(id);
      expect(message).toMatchObject({ status: 'sent' });
      return message['provider_message_id'] as string;
    });
    const delivered = receipt({ id: wamid, status: 'delivered' });
    const before = await unknownDeliveries();
    const answer = await deliver(
      service(),
      ['600600600600601', 'account_update', { event: 'ACCOUNT_VIOLATION' }],
      [DEMO.wabaId, 'messages', delivered],
      ['600600600600602', 'security', pin()],
      [DEMO.wabaId, 'security', pin('PIN_RESET_SUCCESS')],
      ['0', 'security', pin()],
    );
    expect(answer.status).toBe(200);
    await eventually(async () =>
      expect(await service().api.message(id)).toMatchObject({ status: 'delivered' }),
    );
    await eventually(async () =>
      expect(await inbox()).toContainEqual(
        expect.objectContaining({
          processed_at: null,
          parked_at: expect.any(Date),
          unknown_accounts: ['600600600600601', '600600600600602'],
        }),
      ),
    );
    expect(await alerted()).toEqual(['600600600600601', '600600600600602']);
    expect((await unknownDeliveries()) - before).toBe(1);

    const add = (wabaId: string) =>
      accounts.addBusinessAccount({
        tenantId: service().tenantId,
        wabaId,
        appId: null,
        accessToken: `token-${wabaId}`,
        appSecret: SECRETS.sandboxAppSecret,
      });
    const told = () =>
      run(
        `SELECT waba_id, kind, times FROM alerts JOIN business_accounts b ON b.id = business_account_id ORDER BY waba_id`,
      );
    const ours = { waba_id: DEMO.wabaId, kind: 'security', times: 1 };
    await add('600600600600601');
    const violation = { waba_id: '600600600600601', kind: 'account_violation', times: 1 };
    await eventually(async () => expect(await told()).toEqual([ours, violation]));
    await eventually(async () =>
      expect(await inbox()).toContainEqual(
        expect.objectContaining({ parked_at: expect.any(Date), unknown_accounts: ['600600600600602'] }),
      ),
    );
    await add('600600600600602');
    const change = { waba_id: '600600600600602', kind: 'security', times: 1 };
    await eventually(async () => expect(await told()).toEqual([ours, violation, change]));
    await eventually(async () => {
      expect((await inbox()).filter(({ parked_at: at }) => at !== null)).toEqual([]);
      expect(await alerted()).toEqual([]);
    });
  });

  it('is not applied when the account is added with another app secret', async () => {
    const accounts = service().app.get(AccountsService, { strict: false });
    const [victim, later] = ['600600600600701', '600600600600702'];
    await deliver(
      service(),
      [DEMO.wabaId, 'security', pin()],
      [victim, 'account_update', { event: 'ACCOUNT_DELETED' }],
      [later, 'account_update', { event: 'ACCOUNT_VIOLATION' }],
    );
    await eventually(async () =>
      expect(await inbox()).toContainEqual(expect.objectContaining({ unknown_accounts: [victim, later] })),
    );
    const add = (wabaId: string, appSecret: string) =>
      accounts.addBusinessAccount({
        tenantId: service().tenantId,
        wabaId,
        appId: null,
        accessToken: `token-${wabaId}`,
        appSecret,
      });
    const { id } = await add(victim, 'a secret that the delivery is not signed with');
    await add(later, SECRETS.sandboxAppSecret);
    await eventually(async () =>
      expect(await inbox()).toContainEqual(
        expect.objectContaining({
          payload: expect.stringContaining(victim),
          processed_at: expect.any(Date),
        }),
      ),
    );
    await eventually(async () => expect(await alerted()).toEqual([]));
    const alerts = await run<{ kind: string }>('SELECT kind FROM alerts WHERE business_account_id = $1', [
      id,
    ]);
    expect(alerts).toEqual([]);
    expect(await service().app.get(HoldsService, { strict: false }).list()).toEqual([]);
  });

  it('with a partner’s event about a known one counts for the known one', async () => {
    const info = { waba_id: DEMO.wabaId, owner_business_id: '2729063490586005' };
    const event = { event: 'PARTNER_APP_INSTALLED', waba_info: info };
    expect((await deliver(service(), ['700700700700700', 'account_update', event])).status).toBe(200);
    await eventually(async () =>
      expect(await run(`SELECT text FROM alerts WHERE subject LIKE '%:PARTNER_APP_INSTALLED'`)).toHaveLength(
        1,
      ),
    );
    const answer = await deliverText(
      service(),
      JSON.stringify({
        entry: [{ id: '700700700700700', changes: [{ field: 'account_update', value: event }] }],
      }),
      'another’s secret',
    );
    expect(answer.status).toBe(401);
  });
});
