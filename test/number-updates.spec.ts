import { describe, expect, it } from '@jest/globals';
import { DEMO } from '../src/embedded/demo.js';
import { EventStream } from '../src/messages/events/event-stream.service.js';
import type { SandboxNumber } from '../src/sandbox/sandbox-state.js';
import { eventually } from './support/eventually.js';
import { SECRETS } from './support/service.js';
import { addTenant } from './support/tenants.js';
import { useTestService } from './support/test-service.js';
import { ToldUpdates } from './support/told-updates.js';
import { deliver } from './support/webhooks.js';
import { untilStreamIsWhole } from './support/whole-stream.js';

const service = useTestService();
const told = new ToldUpdates(service);
const waba = DEMO.wabaId;
const [sales, care] = DEMO.numbers;

interface NumberRow {
  quality: string | null;
  status: string | null;
  throughput: string | null;
  messaging_limit: string | null;
  messages_per_second: number;
}

async function numberRow(phone: string = sales.phone): Promise<NumberRow> {
  const [row] = await told.run<NumberRow>(
    `SELECT quality, status, throughput, messaging_limit, messages_per_second FROM messaging_accounts
     WHERE phone = $1`,
    [phone],
  );
  return row!;
}

/** Changes what the provider says of the demo's first number. */
function providerSays(facts: Partial<SandboxNumber>): void {
  service().sandbox.addBusinessAccount({
    wabaId: waba,
    appId: DEMO.appId,
    accessToken: SECRETS.sandboxAccessToken,
    appSecret: SECRETS.sandboxAppSecret,
    webhookUrl: `${service().url}/webhooks/provider`,
    numbers: DEMO.numbers.map(({ phoneNumberId, phone, name, messagesPerSecond }, index) => ({
      phoneNumberId,
      displayPhoneNumber: `+${phone}`,
      verifiedName: name,
      messagesPerSecond,
      ...(index === 0 && facts),
      ...(facts.messagingLimit && { messagingLimit: facts.messagingLimit }),
    })),
  });
}

/** Makes the provider name no limit for the demo's numbers, and waits until none is known and no read is under way. */
async function forgetLimits(): Promise<void> {
  providerSays({ messagingLimit: 'TIER_NOT_SET' });
  service().clock.forward(2 * 3_600_000);
  const from = service().clock.now();
  await eventually(async () => {
    const late = await told.run('SELECT id FROM messaging_accounts WHERE read_at < $1 OR read_due_at < $1', [
      from,
    ]);
    expect(late).toEqual([]);
  });
  await told.run('UPDATE messaging_accounts SET messaging_limit = NULL, messaging_limit_at = NULL');
}

describe('A number', () => {
  it('is read from the provider as soon as it is added, and then each hour', async () => {
    await eventually(async () =>
      expect(await numberRow()).toEqual({
        quality: 'GREEN',
        status: 'CONNECTED',
        throughput: 'STANDARD',
        messaging_limit: 'TIER_10K',
        messages_per_second: 80,
      }),
    );
    providerSays({ qualityRating: 'RED', status: 'RESTRICTED', messagingLimit: 'TIER_2K' });
    service().clock.forward(50 * 60_000);
    expect((await numberRow()).quality).toBe('GREEN');
    service().clock.forward(20 * 60_000);
    await eventually(async () =>
      expect(await numberRow()).toMatchObject({
        quality: 'RED',
        status: 'RESTRICTED',
        messaging_limit: 'TIER_2K',
      }),
    );
  });

  it('is known to be upgraded without a webhook, and keeps a rate that people have set', async () => {
    providerSays({ messagesPerSecond: 1_000 });
    await told.run('UPDATE messaging_accounts SET messages_per_second = 20 WHERE phone = $1', [care.phone]);
    await told.run(`UPDATE messaging_accounts SET throughput = 'STANDARD' WHERE phone = $1`, [care.phone]);
    service().clock.forward(70 * 60_000);
    await eventually(async () => {
      expect(await numberRow()).toMatchObject({ throughput: 'HIGH', messages_per_second: 1_000 });
      expect(await numberRow(care.phone)).toMatchObject({ throughput: 'HIGH', messages_per_second: 20 });
    });
  });
});

/** What the tenant was told of its first number: types and data. */
async function toldOfNumber(type: 'number.quality' | 'number.limit') {
  await untilStreamIsWhole(service());
  const stream = service().app.get(EventStream, { strict: false });
  const { events } = await stream.read(service().tenantId, null, { limit: 1_000, types: [type] });
  return events.map(({ data }) => data).filter((data) => data['messaging_account_id'] === sales.apiId);
}

describe('Events and alerts', () => {
  it('tell of another quality once, and alert a low one until it is better', async () => {
    await eventually(async () => expect((await numberRow()).quality).not.toBeNull());
    const settle = async (qualityRating: string) => {
      providerSays({ qualityRating });
      service().clock.forward(70 * 60_000);
      await eventually(async () => expect((await numberRow()).quality).toBe(qualityRating));
    };
    await settle('GREEN');
    const before = (await toldOfNumber('number.quality')).length;
    await settle('RED');
    service().clock.forward(70 * 60_000); // read again, and still RED
    const alerts = async () => (await told.alerts()).filter(({ kind }) => kind === 'number_quality');
    expect(await alerts()).toMatchObject([{ severity: 'warning', times: 1 }]);
    await settle('YELLOW');
    const of = (quality: string, previous: string) => ({
      messaging_account_id: sales.apiId,
      quality,
      previous,
    });
    expect((await toldOfNumber('number.quality')).slice(before)).toEqual([
      of('RED', 'GREEN'),
      of('YELLOW', 'RED'),
    ]);
    expect(await alerts()).toEqual([]);
  });

  it('tell of another limit of the portfolio, once for each number', async () => {
    await told.run(`UPDATE messaging_accounts SET messaging_limit = 'TIER_250', messaging_limit_at = NULL`);
    const before = (await toldOfNumber('number.limit')).length;
    for (let i = 0; i < 2; i++)
      await told.tell('business_capability_update', { max_daily_conversations_per_business: 2_000 });
    expect((await toldOfNumber('number.limit')).slice(before)).toEqual([
      { messaging_account_id: sales.apiId, limit: 'TIER_2K', previous: 'TIER_250' },
    ]);
  });
});

describe('phone_number_quality_update', () => {
  const update = (fields: object) =>
    deliver(service(), [
      waba,
      'phone_number_quality_update',
      { display_phone_number: '+1 415-555-0100', ...fields },
    ]);

  /** Lets the pause between two reads of one number pass. */
  const laterOn = () => service().clock.forward(30_000);

  it.each([
    ['ONBOARDING', 'UNKNOWN'],
    ['THROUGHPUT_UPGRADE', 'YELLOW'],
    ['FLAGGED', 'RED'],
    ['UNFLAGGED', 'YELLOW'],
    ['UPGRADE', 'RED'],
    ['DOWNGRADE', 'GREEN'],
  ])('with %s makes the service read the number, which then has the quality %s', async (event, quality) => {
    providerSays({ qualityRating: quality, status: event === 'ONBOARDING' ? 'PENDING' : 'CONNECTED' });
    laterOn();
    await update({ event });
    await eventually(async () => expect(await numberRow()).toMatchObject({ quality }));
    expect((await numberRow()).status).toBe(event === 'ONBOARDING' ? 'PENDING' : 'CONNECTED');
  });

  it('with THROUGHPUT_UPGRADE raises the number to 1,000 messages a second', async () => {
    await told.run('UPDATE messaging_accounts SET messages_per_second = 80 WHERE phone = $1', [sales.phone]);
    await update({ event: 'THROUGHPUT_UPGRADE', current_limit: 'TIER_UNLIMITED' });
    await eventually(async () => expect(await numberRow()).toMatchObject({ messages_per_second: 1_000 }));
  });

  it('makes the service read a number at most every 20 seconds', async () => {
    laterOn();
    await update({ event: 'FLAGGED' });
    await eventually(async () => {
      const [row] = await told.run(
        `SELECT read_due_at > read_at + interval '50 minutes' AS done
        FROM messaging_accounts WHERE phone = $1`,
        [sales.phone],
      );
      expect(row).toEqual({ done: true });
    });
    for (let event = 0; event < 3; event += 1) await update({ event: 'FLAGGED' });
    await told.applied();
    const [row] = await told.run(
      'SELECT extract(epoch FROM read_due_at - read_at)::integer AS pause FROM messaging_accounts WHERE phone = $1',
      [sales.phone],
    );
    expect(row).toEqual({ pause: 20 });
  });

  it('sets the limit of the whole portfolio, unless a later one is known', async () => {
    await forgetLimits();
    const limits = () =>
      told
        .run('SELECT phone, messaging_limit FROM messaging_accounts ORDER BY id LIMIT 2')
        .then((rows) => rows.map(({ messaging_limit: limit }: any) => limit));
    await update({ event: 'UPGRADE', max_daily_conversations_per_business: 'TIER_100K' });
    await eventually(async () => expect(await limits()).toEqual(['TIER_100K', 'TIER_100K']));
    await told.run(
      `UPDATE messaging_accounts SET messaging_limit_at = messaging_limit_at + interval '1 day'`,
    );
    await update({ event: 'UPGRADE', max_daily_conversations_per_business: 'TIER_250' });
    await told.applied();
    expect(await limits()).toEqual(['TIER_100K', 'TIER_100K']);
  });
});

describe('business_capability_update', () => {
  it.each([
    [{ max_daily_conversations_per_business: 2_000, max_phone_numbers_per_business: 5 }, 'TIER_2K'],
    [{ max_daily_conversations_per_business: -1 }, 'TIER_UNLIMITED'],
    [{ max_daily_conversation_per_phone: 250 }, 'TIER_250'],
  ])('with %j sets the limit %s for every number of the portfolio', async (value, limit) => {
    await forgetLimits();
    await deliver(service(), [waba, 'business_capability_update', value]);
    await eventually(async () => {
      expect(await numberRow()).toMatchObject({ messaging_limit: limit });
      expect(await numberRow(care.phone)).toMatchObject({ messaging_limit: limit });
    });
  });

  it('changes the other business accounts of the portfolio, but none of another tenant', async () => {
    const portfolio = (id: string) =>
      told.run(`UPDATE business_accounts SET portfolio_id = '99' WHERE id = $1 OR waba_id = $2`, [id, waba]);
    const theirs = await addTenant(service(), { phones: ['14155550300'] });
    await portfolio(theirs.businessAccountId);
    const ours = await addTenant(service(), { phones: ['14155550301'] });
    await portfolio(ours.businessAccountId);
    for (const table of ['business_accounts', 'messaging_accounts'])
      await told.run(`UPDATE ${table} SET tenant_id = $1 WHERE tenant_id = $2`, [
        service().tenantId,
        ours.id,
      ]);
    await eventually(async () =>
      expect(await numberRow('14155550300')).toMatchObject({ messaging_limit: 'TIER_10K' }),
    );
    await forgetLimits();
    await deliver(service(), [
      waba,
      'business_capability_update',
      { max_daily_conversations_per_business: 100_000 },
    ]);
    await eventually(async () =>
      expect(await numberRow('14155550301')).toMatchObject({ messaging_limit: 'TIER_100K' }),
    );
    expect(await numberRow('14155550300')).toMatchObject({ messaging_limit: null });
  });
});
