import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { HoldsService } from '../../src/outbox/holds/holds.service.js';
import { PricingService } from '../../src/pricing/pricing.service.js';
import { text } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import '../support/matchers.js';
import { startTestService, type TestService } from '../support/service.js';
import { addTenant, template, type TestTenant } from '../support/tenants.js';

const CARD = `
  Market,Currency,Marketing,Utility,Authentication,Authentication-International
  North America,USD,0.0250,0.0040,0.0135,n/a
  United Arab Emirates,USD,0.0399,0.0157,0.0178,0.0510
  India,USD,0.0107,0.0014,0.0014,0.028
  Other,USD,0.0604,0.0077,0.0304,n/a`;

const TEMPLATES = [
  template('marketing', 'Buy!', { category: 'MARKETING' }),
  template('utility', 'Done!', { category: 'UTILITY' }),
  template(
    'authentication',
    [
      { type: 'BODY', text: 'Your code is {{1}}.' },
      { type: 'BUTTONS', buttons: [{ type: 'OTP', text: 'Copy', otp_type: 'COPY_CODE' }] },
    ],
    { category: 'AUTHENTICATION' },
  ),
];
const CODE = [
  { type: 'body', parameters: [text('1234')] },
  { type: 'button', sub_type: 'url', index: 0, parameters: [text('1234')] },
];

let service: TestService;
/** Tenants with numbers in the United States, without and with a markup. */
let plain: TestTenant;
let marked: TestTenant;
const load = (csv: string, from: Date) => service.app.get(PricingService, { strict: false }).load(csv, from);

beforeAll(async () => {
  service = await startTestService({}, { limits: false });
  await load(CARD, new Date(1));
  plain = await addTenant(service, { templates: TEMPLATES });
  marked = await addTenant(service, { templates: TEMPLATES, markupPercent: '12.5' });
});
afterAll(() => service.stop());

async function send({ api, accounts }: TestTenant, phone: string, name = 'utility', others: object = {}) {
  const components = name === 'authentication' ? CODE : undefined;
  const answer = await api.post('/api/v1/messages/send', {
    messaging_account_id: accounts[0],
    phone,
    message_type: 'template',
    data: { name, components },
    ...others,
  });
  expect(answer.status).toBe(202);
  const { data } = answer.body;
  return { ...data, id: data['message_log_id'] as number, cost: data['cost'] as number };
}

async function ledgerOf(id: number): Promise<string[]> {
  const rows = await service.database.run<{ entry: string }>(
    {
      name: 'ledger_of',
      text: `SELECT concat_ws(' ', kind, ordinal, amount, currency) AS entry FROM ledger_entries
        WHERE message_log_id = $1 ORDER BY id`,
    },
    [id],
  );
  return rows.map(({ entry }) => entry);
}

const hasStatus = (tenant: TestTenant, id: number, status: string) =>
  eventually(async () => {
    const message = await tenant.api.message(id);
    expect(message).toMatchObject({ status });
    return message;
  });

describe('The cost of a message', () => {
  it.each([
    ['marketing', '+12025550100', 0.025, '0.028125'],
    ['utility', '+12025550100', 0.004, '0.004500'],
    ['utility', '+14165550100', 0.004, '0.004500'],
    ['authentication', '+12025550100', 0.0135, '0.015188'],
    ['marketing', '+971501230100', 0.0399, '0.044888'],
    ['utility', '+971501230100', 0.0157, '0.017663'],
    ['authentication', '+971501230100', 0.0178, '0.020025'],
    ['authentication', '+919876540100', 0.0014, '0.001575'],
    ['utility', '+33612340100', 0.0077, '0.008663'],
  ])('of %s to %s is %d by the rate card, and %s with the markup', async (name, phone, cost, withMarkup) => {
    const one = await send(plain, phone, name);
    expect(one).toMatchObject({ cost });
    expect(await plain.api.message(one.id)).toMatchObject({ cost, currency: 'USD' });
    expect(await ledgerOf(one.id)).toEqual([`charge 1 ${cost.toFixed(6)} USD`]);
    const other = await send(marked, phone, name);
    expect(other).toMatchObject({ cost: Number(withMarkup) });
    expect(await ledgerOf(other.id)).toEqual([`charge 1 ${withMarkup} USD`]);
  });

  it('is that of the card in force when the message was accepted, and does not change later', async () => {
    const before = await send(plain, '+12025550101');
    const card = CARD.replace('USD,0.0250,0.0040', 'EUR,0.5,0.123456').replaceAll('USD', 'EUR');
    await load(card, new Date(service.clock.now().getTime() + 60_000));
    expect(await send(plain, '+12025550101')).toMatchObject({ cost: 0.004 });
    service.clock.forward(60_001);
    await service.database.notify('changed', 'rate_card:');
    const after = await eventually(async () => {
      const sent = await send(plain, '+12025550101');
      expect(sent).toMatchObject({ cost: 0.123456 });
      return sent;
    });
    expect(await plain.api.message(after.id)).toMatchObject({ cost: 0.123456, currency: 'EUR' });
    expect(await plain.api.message(before.id)).toMatchObject({ cost: 0.004, currency: 'USD' });
    await load(CARD, new Date(service.clock.now().getTime() - 1));
  });
});

describe('A code to another country', () => {
  const HOUR = 3_600_000;
  const INDIA = '+919876540100';
  const EMIRATES = '+971501230100';
  let tenant: TestTenant;

  beforeAll(async () => {
    tenant = await addTenant(service, { templates: TEMPLATES });
  });

  const seconds = (time: number) => Math.floor(time / 1_000);
  const costTo = async (phone: string, name = 'authentication') => (await send(tenant, phone, name)).cost;
  const declare = (auth_international_rate_eligibility: object) =>
    service.sandbox.control.sendWebhook(tenant.wabaId, 'account_update', {
      event: 'AUTH_INTL_PRICE_ELIGIBILITY_UPDATE',
      auth_international_rate_eligibility,
    });

  it('costs the international rate from the time that the provider has declared', async () => {
    const now = service.clock.now().getTime();
    declare({
      start_time: seconds(now - HOUR),
      exception_countries: [{ country_code: 'IN', start_time: seconds(now + HOUR) }],
    });
    await eventually(async () => expect(await costTo(EMIRATES)).toBe(0.051));
    expect(await costTo(INDIA)).toBe(0.0014);
    expect(await costTo(INDIA, 'utility')).toBe(0.0014);
    const before = await send(tenant, INDIA, 'authentication');
    // A code that is still waiting in an hour is refunded, as it is too old.
    await eventually(async () => expect((await tenant.api.message(before.id))['status']).not.toBe('queued'));
    service.clock.forward(HOUR + 1_000);
    expect(await costTo(INDIA)).toBe(0.028);
    expect(await ledgerOf(before.id)).toEqual(['charge 1 0.001400 USD']);
  });

  it('costs the usual rate for other business accounts', async () => {
    expect(await send(plain, EMIRATES, 'authentication')).toMatchObject({ cost: 0.0178 });
  });

  it('costs what the declaration that came last says, alone', async () => {
    const { clock, database } = service;
    const now = clock.now();
    declare({ exception_countries: [{ country_code: 'AE', start_time: seconds(now.getTime() - HOUR) }] });
    await eventually(async () => expect(await costTo(INDIA)).toBe(0.0014));
    expect(await costTo(EMIRATES)).toBe(0.051);
    expect(
      await database.run(
        {
          name: 'declared',
          text: 'SELECT auth_international AS starts FROM business_accounts WHERE id = $1',
        },
        [tenant.businessAccountId],
      ),
    ).toEqual([{ starts: { AE: new Date(seconds(now.getTime() - HOUR) * 1_000).toISOString() } }]);
  });
});

describe('The ledger', () => {
  const charge = 'charge 1 0.004000 USD';
  const refund = 'refund 1 0.004000 USD';
  /** The message that is held and then fails has put its template on hold. */
  afterEach(async () => {
    const holds = service.app.get(HoldsService, { strict: false });
    for (const { id } of await holds.list()) await holds.lift(id, 'command');
  });

  it.each([
    ['read', '0100', 'read', [charge]],
    ['only delivered', '0101', 'delivered', [charge]],
    ['only sent', '0102', 'sent', [charge]],
    ['refused at once', '0110', 'failed', [charge, refund]],
    ['failed later', '0111', 'failed', [charge, refund]],
    ['at the marketing cap', '0112', 'failed', [charge, refund]],
    ['sent at the third try', '0122', 'read', [charge]],
    ['held and then failed', '0141', 'failed', [charge, refund]],
    ['read, with receipts in disorder', '0142', 'read', [charge]],
  ])('has the entries of a message that is %s', async (_case, suffix, status, entries) => {
    const { id } = await send(plain, `+1202555${suffix}`);
    const record = await hasStatus(plain, id, status);
    expect(await ledgerOf(id)).toEqual(entries);
    expect(record['error'] === null).toBe(status !== 'failed');
  });

  it('has the entries of a message that is delivered after it had failed', async () => {
    const { id } = await send(plain, '+12025550111');
    const { provider_message_id } = await hasStatus(plain, id, 'failed');
    service.sandbox.control.sendWebhook(plain.wabaId, 'messages', {
      messaging_product: 'whatsapp',
      statuses: [
        { id: provider_message_id, status: 'delivered', timestamp: '1790000000', recipient_id: '1' },
      ],
    });
    await hasStatus(plain, id, 'delivered');
    expect(await ledgerOf(id)).toEqual([charge, refund, 'charge 2 0.004000 USD']);
  });

  it('has one refund for a message that is canceled several times', async () => {
    const scheduled_at = new Date(service.clock.now().getTime() + 3_600_000).toISOString();
    const { id } = await send(plain, '+12025550100', 'utility', { scheduled_at, timezone: 'UTC' });
    expect(await ledgerOf(id)).toEqual([charge]);
    await Promise.all([1, 2, 3].map(() => plain.api.post(`/api/v1/messages/${id}/cancel`)));
    expect(await ledgerOf(id)).toEqual([charge, refund]);
  });

  it('has a charge for the auto-retry too', async () => {
    const { id } = await send(plain, '+12025550112', 'utility', { auto_retry_on_frequency_cap: true });
    await hasStatus(plain, id, 'failed');
    const list = await plain.api.get('/api/v1/messages?status=scheduled');
    const [retry] = list.body.data as unknown as Record<string, any>[];
    expect(retry).toMatchObject({ retry_of: id, retry_count: 1, auto_retry_on_frequency_cap: false });
    expect(await ledgerOf(id)).toEqual([charge, refund]);
    expect(await ledgerOf(retry?.['message_log_id'])).toEqual([charge]);
  });

  it.each(['UPDATE ledger_entries SET amount = 0', 'DELETE FROM ledger_entries'])(
    'refuses %s',
    async (sql) => {
      await expect(service.database.run({ name: sql.slice(0, 6), text: sql })).rejects.toThrow('append-only');
    },
  );

  it('has one charge for each message and none for a refusal', async () => {
    const refused = await plain.api.post('/api/v1/messages/send', {
      messaging_account_id: plain.accounts[0],
      phone: '123',
      message_type: 'template',
      data: { name: 'utility' },
    });
    expect(refused).toBeError(422, 'INVALID_PHONE');
    const rows = await service.database.run({
      name: 'uncharged',
      text: `SELECT m.id, l.id AS entry FROM message_logs m
        FULL JOIN (SELECT * FROM ledger_entries WHERE kind = 'charge' AND ordinal = 1) l ON l.message_log_id = m.id
        WHERE l.id IS NULL OR m.id IS NULL OR l.amount <> m.cost OR l.tenant_id <> m.tenant_id`,
    });
    expect(rows).toEqual([]);
  });
});
