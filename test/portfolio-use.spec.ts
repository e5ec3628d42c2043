import { beforeAll, describe, expect, it } from '@jest/globals';
import { PortfolioUseService } from '../src/numbers/portfolio-use.service.js';
import { fillOutbox } from './support/outbox.js';
import { addTenant, type TestTenant } from './support/tenants.js';
import { useTestService } from './support/test-service.js';

const service = useTestService();

const run = <Row extends object>(text: string, values: unknown[] = []) =>
  service().database.run<Row>({ name: '', text }, values);

const hoursAgo = (hours: number) => new Date(service().clock.now().getTime() - hours * 3_600_000);

interface Sent {
  tenant: TestTenant;
  phone: string;
  accepted: number;
  /** Hours since it was sent; null when it has not been. */
  sent: number | null;
  status?: string;
}

/** Adds a message of the tenant's first number; one that waits is due in a day. */
async function message({ tenant, phone, accepted, sent, status = 'delivered' }: Sent) {
  await run(
    `INSERT INTO message_logs (tenant_id, messaging_account_id, template_id, phone, template_name, language, components,
       status, scheduled_at, auto_retry_on_frequency_cap, conversation_category, cost, currency, created_at, sent_at)
     SELECT n.tenant_id, n.id, 1, $2, 'a', 'en', '[]', $3, CASE $3 WHEN 'scheduled' THEN $4::timestamptz END, false,
       'UTILITY', 0, 'USD', $5, $6
     FROM messaging_accounts n WHERE n.business_account_id = $1 ORDER BY n.id LIMIT 1`,
    [
      tenant.businessAccountId,
      phone,
      status,
      hoursAgo(-24),
      hoursAgo(accepted),
      sent === null ? null : hoursAgo(sent),
    ],
  );
  await run(fillOutbox());
  await run(`INSERT INTO late_sends SELECT tenant_id, sent_at, id FROM message_logs
    WHERE sent_at - created_at > interval '1 hour' ON CONFLICT DO NOTHING`);
}

/** Moves the clock until a new count is allowed, and counts. */
async function counted(tenant: TestTenant) {
  service().clock.forward(15 * 60_000);
  await service().app.get(PortfolioUseService, { strict: false }).count();
  const [row] = await run(
    'SELECT recipients, recipients_is_more AS is_more FROM business_accounts WHERE id = $1',
    [tenant.businessAccountId],
  );
  return row;
}

describe('The use of a portfolio', () => {
  let first: TestTenant;
  let second: TestTenant;
  let other: TestTenant;
  beforeAll(async () => {
    first = await addTenant(service());
    second = await addTenant(service(), { phones: ['14155550201'] });
    other = await addTenant(service(), { phones: ['14155550202'] });
    // Two accounts of one tenant with the same portfolio; another tenant claims this portfolio too.
    for (const table of ['business_accounts', 'messaging_accounts'])
      await run(`UPDATE ${table} SET tenant_id = $1 WHERE tenant_id = $2`, [first.id, second.id]);
    await run(`UPDATE business_accounts SET portfolio_id = '77' WHERE id = ANY($1)`, [
      [first.businessAccountId, second.businessAccountId, other.businessAccountId],
    ]);
  });

  it('is zero when nothing was sent', async () => {
    expect(await counted(first)).toEqual({ recipients: 0, is_more: false });
  });

  it('counts each person once who got a message from any of its accounts in 24 hours', async () => {
    await message({ tenant: first, phone: '1', accepted: 2, sent: 2 });
    await message({ tenant: first, phone: '1', accepted: 1, sent: 1, status: 'read' });
    await message({ tenant: second, phone: '1', accepted: 1, sent: 1 });
    await message({ tenant: second, phone: '2', accepted: 1, sent: 1, status: 'sent' });
    expect(await counted(first)).toEqual({ recipients: 2, is_more: false });
    expect(await counted(second)).toEqual({ recipients: 2, is_more: false });
    expect(await counted(other)).toEqual({ recipients: 0, is_more: false });
  });

  it('counts messages by the time of sending, although they were accepted long before', async () => {
    await message({ tenant: first, phone: '3', accepted: 200, sent: 3 });
    await message({ tenant: first, phone: '4', accepted: 23.9, sent: 3 });
    await message({ tenant: first, phone: '5', accepted: 24.2, sent: 23.3 });
    expect(await counted(first)).toEqual({ recipients: 5, is_more: false });
  });

  it('leaves out messages that failed, wait or are a day old', async () => {
    await message({ tenant: first, phone: '6', accepted: 1, sent: 1, status: 'failed' });
    await message({ tenant: first, phone: '7', accepted: 1, sent: null, status: 'scheduled' });
    await message({ tenant: first, phone: '8', accepted: 25, sent: 25 });
    await message({ tenant: first, phone: '9', accepted: 200, sent: 26 });
    expect(await counted(first)).toEqual({ recipients: 5, is_more: false });
  });

  it('is that of the account alone while the portfolio is not known', async () => {
    await run('UPDATE business_accounts SET portfolio_id = NULL');
    expect(await counted(second)).toEqual({ recipients: 2, is_more: false });
    // Of five people, one got a message a day ago, and one got it from the other account.
    expect(await counted(first)).toEqual({ recipients: 3, is_more: false });
  });
});
