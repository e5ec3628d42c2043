import { describe, expect, it } from '@jest/globals';
import { AccountsService } from '../src/accounts/accounts.service.js';
import { NumberMovesStore } from '../src/accounts/number-moves.store.js';
import { eventually } from './support/eventually.js';
import { cloneOf, command } from './support/moves.js';
import { fillOutbox } from './support/outbox.js';
import { useTestService } from './support/test-service.js';
import { addTenant, template, type TestTenant } from './support/tenants.js';

const service = useTestService({}, { limits: false });

const TEMPLATES = [
  template('news', 'There is news.'),
  template('left_behind', 'The clone has no such template.'),
];

let phones = 14_155_551_000;

const newTenant = () => addTenant(service(), { phones: [String((phones += 1))], templates: TEMPLATES });

/** Schedules a message for tomorrow. @returns its id */
async function schedule(tenant: TestTenant, name: string): Promise<number> {
  const scheduled_at = new Date(Date.now() + 86_400_000).toISOString();
  const message = { phone: '+4930123450100', message_type: 'template', data: { name } };
  const body = { messaging_account_id: tenant.accounts[0], ...message, scheduled_at, timezone: 'UTC' };
  return (await tenant.api.post('/api/v1/messages/send', body)).body.data['message_log_id'];
}

const numberOf = async ({ accounts }: TestTenant) =>
  (await service()
    .app.get(AccountsService, { strict: false })
    .findByApiId(accounts[0] as string))!;

const moves = () => service().app.get(NumberMovesStore, { strict: false });

const moving = ({ accounts }: Pick<TestTenant, 'accounts'>, to: string) =>
  command(service(), `number:move --number ${accounts[0]} --business-account ${to}`);

const sql = (query: string, values: unknown[] = []) =>
  service().database.run<Record<string, any>>({ name: '', text: query }, values);

const accountsOfTemplates = (ids: number[]) =>
  sql(
    `SELECT t.name, t.business_account_id AS account, o.held_by IS NOT NULL AS held
     FROM message_logs m JOIN templates t ON t.id = m.template_id
     JOIN outbox o ON o.message_log_id = m.id AND o.template_id = m.template_id
     WHERE m.id = ANY($1) ORDER BY m.id`,
    [ids],
  );

describe('number:move', () => {
  it('tells how many waiting messages have a template in the new account, and how many do not', async () => {
    const tenant = await newTenant();
    const clone = await cloneOf(service(), tenant, ['left_behind']);
    const ids = [await schedule(tenant, 'news'), await schedule(tenant, 'left_behind')];
    const messaging_account_id = tenant.accounts[0];
    expect(await moving(tenant, clone.businessAccountId)).toEqual({
      messaging_account_id,
      bound: 1,
      unbound: 1,
    });
    expect(await accountsOfTemplates(ids)).toEqual([
      { name: 'news', account: clone.businessAccountId, held: false },
      { name: 'left_behind', account: clone.businessAccountId, held: true },
    ]);
    expect(await moving(tenant, clone.businessAccountId)).toMatchObject({ error: { code: 'CONFLICT' } });
  });

  it('gives new templates to a long queue, also when all its messages are due at the same time', async () => {
    const tenant = await newTenant();
    const clone = await cloneOf(service(), tenant);
    const id = await schedule(tenant, 'news');
    const columns = `tenant_id, messaging_account_id, template_id, phone, template_name, language, components, status,
      scheduled_at, auto_retry_on_frequency_cap, conversation_category, cost, currency, created_at`;
    await sql(
      `INSERT INTO message_logs (${columns})
       SELECT ${columns} FROM message_logs, generate_series(2, $2::integer) WHERE id = $1`,
      [id, 5_000],
    );
    await sql(fillOutbox());
    expect(await moving(tenant, clone.businessAccountId)).toMatchObject({ bound: 5_000, unbound: 0 });
    for (const table of ['message_logs', 'outbox']) {
      const left = await sql(
        `SELECT 1 FROM ${table} m JOIN templates t ON t.id = m.template_id WHERE t.business_account_id = $1`,
        [tenant.businessAccountId],
      );
      expect({ table, left }).toEqual({ table, left: [] });
    }
  });

  it('completes a move that was broken off, and tells the totals of both parts', async () => {
    const tenant = await newTenant();
    const clone = await cloneOf(service(), tenant, ['left_behind']);
    await schedule(tenant, 'news');
    await schedule(tenant, 'left_behind');
    await moves().begin(await numberOf(tenant), clone.businessAccountId, null);
    expect(await moving(tenant, tenant.businessAccountId)).toMatchObject({
      error: { code: 'CONFLICT' },
    });
    expect(await moving(tenant, clone.businessAccountId)).toMatchObject({
      bound: 1,
      unbound: 1,
    });
  });

  it('refuses a move that it cannot do, and changes nothing', async () => {
    const [tenant, other] = [await newTenant(), await newTenant()];
    const nobody = '11111111-2222-4333-8444-555555555555';
    expect(await moving(tenant, nobody)).toMatchObject({ error: { code: 'NOT_FOUND' } });
    expect(await moving(tenant, other.businessAccountId)).toMatchObject({
      error: { code: 'VALIDATION_FAILED' },
    });
    expect(await moving(tenant, tenant.businessAccountId)).toMatchObject({
      error: { code: 'CONFLICT' },
    });
    const unknown = { accounts: ['acc_aaaaaaaaaaaaaaaaaaaa'] };
    expect(await moving(unknown, tenant.businessAccountId)).toMatchObject({
      error: { code: 'ACCOUNT_NOT_FOUND' },
    });
    expect(await command(service(), 'number:move --number x --business-account y')).toMatchObject({
      error: { code: 'VALIDATION_FAILED', details: [{ field: '--number' }, { field: '--business-account' }] },
    });
    const clone = await cloneOf(service(), tenant);
    service().sandbox.control.revokeToken(clone.wabaId);
    expect(await moving(tenant, clone.businessAccountId)).toMatchObject({
      error: { code: 'PROVIDER_ERROR' },
    });
    expect(
      await sql('SELECT 1 FROM number_moves WHERE to_business_account_id = $1', [clone.businessAccountId]),
    ).toEqual([]);
    expect((await numberOf(tenant)).businessAccountId).toBe(tenant.businessAccountId);
  });

  it('is completed by the workers when nobody repeats it', async () => {
    const tenant = await newTenant();
    const clone = await cloneOf(service(), tenant);
    const id = await schedule(tenant, 'news');
    const number = await numberOf(tenant);
    const begun = await moves().begin(number, clone.businessAccountId, null);
    service().clock.forward(60_000);
    await eventually(async () => expect(await moves().findOpen(number.id)).toBeNull());
    expect(await moves().finish(begun!.id)).toEqual({ bound: 1, unbound: 0 });
    expect(await accountsOfTemplates([id])).toMatchObject([{ account: clone.businessAccountId }]);
  });
});
