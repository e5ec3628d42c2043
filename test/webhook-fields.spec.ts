import { beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AccountsService } from '../src/accounts/accounts.service.js';
import { DEMO } from '../src/embedded/demo.js';
import { HoldsService } from '../src/messages/holds.service.js';
import type { SandboxNumber } from '../src/sandbox/sandbox-state.js';
import { CategoryChangesService } from '../src/templates/category-changes.service.js';
import { TemplateSyncService } from '../src/templates/template-sync.service.js';
import type { Api } from './support/api.js';
import { dashboardApi } from './support/dashboard-api.js';
import { eventually } from './support/eventually.js';
import { SECRETS } from './support/service.js';
import { addTenant } from './support/tenants.js';
import { useTestService } from './support/test-service.js';
import { deliver, deliverText } from './support/webhooks.js';

const service = useTestService();

const run = <Row extends object>(text: string, values: unknown[] = []) =>
  service().database.run<Row>({ name: '', text }, values);

const waba = DEMO.wabaId;
const [sales, care] = DEMO.numbers;

/** Every delivery so far is applied. */
const applied = () =>
  eventually(async () => {
    const pending = await run('SELECT id FROM webhook_inbox WHERE processed_at IS NULL');
    expect(pending).toEqual([]);
  });

/** Delivers an update of the demo's account, later by the provider's clock than what came before. */
async function tell(field: string, value: unknown): Promise<void> {
  service().clock.forward(2_000);
  const time = Math.floor(service().clock.now().getTime() / 1_000);
  const entry = [{ id: waba, time, changes: [{ field, value }] }];
  const answer = await deliverText(service(), JSON.stringify({ object: 'whatsapp_business_account', entry }));
  expect(answer.status).toBe(200);
  await applied();
}

const inAnHour = () => Math.floor(service().clock.now().getTime() / 1_000) + 3_600;

/** The open holds on the demo's account. */
const holds = () =>
  run<{ cause: string; title: string; details: string | null; waits: boolean }>(
    `SELECT cause, error ->> 'title' AS title, error ->> 'details' AS details, NOT isfinite(next_probe_at) AS waits
     FROM holds WHERE scope = 'business_account' AND lifted_at IS NULL`,
  );

/** The open alerts, newest first, as the dashboard of the demo's tenant shows them. */
async function alerts(): Promise<Record<string, any>[]> {
  viewer ??= await dashboardApi(service(), 'viewer');
  return (await viewer.get('/dashboard/api/alerts')).body.data as unknown as Record<string, any>[];
}
let viewer: Api | undefined;

/** Ends all holds and alerts. */
async function forgetTrouble(): Promise<void> {
  await run('DELETE FROM holds');
  await run('DELETE FROM alerts');
}

const metric = async (line: string) =>
  Number(
    (await service().api.get('/metrics')).text
      .split('\n')
      .find((each) => each.startsWith(`${line} `))
      ?.split(' ')
      .at(-1) ?? 0,
  );

interface NumberRow {
  quality: string | null;
  status: string | null;
  throughput: string | null;
  messaging_limit: string | null;
  messages_per_second: number;
}

async function numberRow(phone: string = sales.phone): Promise<NumberRow> {
  const [row] = await run<NumberRow>(
    `SELECT quality, status, throughput, messaging_limit, messages_per_second FROM messaging_accounts
     WHERE phone = $1`,
    [phone],
  );
  return row!;
}

/** What the provider says of the demo's first number from now on. */
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

/** The provider says no limit of the demo's numbers any more, none is known, and no read is under way. */
async function forgetLimits(): Promise<void> {
  providerSays({ messagingLimit: 'TIER_NOT_SET' });
  service().clock.forward(2 * 3_600_000);
  const from = service().clock.now();
  await eventually(async () => {
    const late = await run('SELECT id FROM messaging_accounts WHERE read_at < $1 OR read_due_at < $1', [
      from,
    ]);
    expect(late).toEqual([]);
  });
  await run('UPDATE messaging_accounts SET messaging_limit = NULL, messaging_limit_at = NULL');
}

describe('A number', () => {
  it('is read from the provider as soon as it is there, and each hour', async () => {
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

  it('that was upgraded is found out without a webhook, and a rate that people have set stays', async () => {
    providerSays({ messagesPerSecond: 1_000 });
    await run('UPDATE messaging_accounts SET messages_per_second = 20 WHERE phone = $1', [care.phone]);
    await run(`UPDATE messaging_accounts SET throughput = 'STANDARD' WHERE phone = $1`, [care.phone]);
    service().clock.forward(70 * 60_000);
    await eventually(async () => {
      expect(await numberRow()).toMatchObject({ throughput: 'HIGH', messages_per_second: 1_000 });
      expect(await numberRow(care.phone)).toMatchObject({ throughput: 'HIGH', messages_per_second: 20 });
    });
  });
});

describe('phone_number_quality_update', () => {
  const update = (fields: object) =>
    deliver(service(), [
      waba,
      'phone_number_quality_update',
      { display_phone_number: '+1 415-555-0100', ...fields },
    ]);

  /** The pause between two reads of one number is over. */
  const laterOn = () => service().clock.forward(30_000);

  it.each([
    ['ONBOARDING', 'UNKNOWN'],
    ['THROUGHPUT_UPGRADE', 'YELLOW'],
    ['FLAGGED', 'RED'],
    ['UNFLAGGED', 'YELLOW'],
    ['UPGRADE', 'RED'],
    ['DOWNGRADE', 'GREEN'],
  ])('with %s has the number read, which has the quality %s', async (event, quality) => {
    providerSays({ qualityRating: quality, status: event === 'ONBOARDING' ? 'PENDING' : 'CONNECTED' });
    laterOn();
    await update({ event });
    await eventually(async () => expect(await numberRow()).toMatchObject({ quality }));
    expect((await numberRow()).status).toBe(event === 'ONBOARDING' ? 'PENDING' : 'CONNECTED');
  });

  it('with THROUGHPUT_UPGRADE raises the number to 1,000 messages a second', async () => {
    await run('UPDATE messaging_accounts SET messages_per_second = 80 WHERE phone = $1', [sales.phone]);
    await update({ event: 'THROUGHPUT_UPGRADE', current_limit: 'TIER_UNLIMITED' });
    await eventually(async () => expect(await numberRow()).toMatchObject({ messages_per_second: 1_000 }));
  });

  it('has a number read no more often than every 20 seconds', async () => {
    laterOn();
    await update({ event: 'FLAGGED' });
    await eventually(async () => {
      const [row] = await run(
        `SELECT read_due_at > read_at + interval '50 minutes' AS done
        FROM messaging_accounts WHERE phone = $1`,
        [sales.phone],
      );
      expect(row).toEqual({ done: true });
    });
    for (let event = 0; event < 3; event += 1) await update({ event: 'FLAGGED' });
    await applied();
    const [row] = await run(
      'SELECT extract(epoch FROM read_due_at - read_at)::integer AS pause FROM messaging_accounts WHERE phone = $1',
      [sales.phone],
    );
    expect(row).toEqual({ pause: 20 });
  });

  it('tells the limit of the whole portfolio, of which a later word stands', async () => {
    await forgetLimits();
    const limits = () =>
      run('SELECT phone, messaging_limit FROM messaging_accounts ORDER BY id LIMIT 2').then((rows) =>
        rows.map(({ messaging_limit: limit }: any) => limit),
      );
    await update({ event: 'UPGRADE', max_daily_conversations_per_business: 'TIER_100K' });
    await eventually(async () => expect(await limits()).toEqual(['TIER_100K', 'TIER_100K']));
    await run(`UPDATE messaging_accounts SET messaging_limit_at = messaging_limit_at + interval '1 day'`);
    await update({ event: 'UPGRADE', max_daily_conversations_per_business: 'TIER_250' });
    await applied();
    expect(await limits()).toEqual(['TIER_100K', 'TIER_100K']);
  });
});

describe('business_capability_update', () => {
  it.each([
    [{ max_daily_conversations_per_business: 2_000, max_phone_numbers_per_business: 5 }, 'TIER_2K'],
    [{ max_daily_conversations_per_business: -1 }, 'TIER_UNLIMITED'],
    [{ max_daily_conversation_per_phone: 250 }, 'TIER_250'],
  ])('with %j is the limit %s of every number of the portfolio', async (value, limit) => {
    await forgetLimits();
    await deliver(service(), [waba, 'business_capability_update', value]);
    await eventually(async () => {
      expect(await numberRow()).toMatchObject({ messaging_limit: limit });
      expect(await numberRow(care.phone)).toMatchObject({ messaging_limit: limit });
    });
  });

  it('reaches the other business accounts of the portfolio, and no other tenant’s', async () => {
    const portfolio = (id: string) =>
      run(`UPDATE business_accounts SET portfolio_id = '99' WHERE id = $1 OR waba_id = $2`, [id, waba]);
    const theirs = await addTenant(service(), { phones: ['14155550300'] });
    await portfolio(theirs.businessAccountId);
    const ours = await addTenant(service(), { phones: ['14155550301'] });
    await portfolio(ours.businessAccountId);
    for (const table of ['business_accounts', 'messaging_accounts'])
      await run(`UPDATE ${table} SET tenant_id = $1 WHERE tenant_id = $2`, [service().tenantId, ours.id]);
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

describe('account_update', () => {
  beforeEach(forgetTrouble);

  const ban = (waba_ban_state: string) => ({
    event: 'DISABLED_UPDATE',
    ban_info: { waba_ban_state, waba_ban_date: 'April 17, 2026' },
  });
  const restriction = (...types: string[]) => ({
    event: 'ACCOUNT_RESTRICTION',
    restriction_info: types.map((restriction_type) => ({ restriction_type, expiration: inAnHour() })),
  });

  it.each([
    ['a ban', () => ban('DISABLE'), 'banned', 'account_banned', true],
    ['a ban that is not described', () => ({ event: 'DISABLED_UPDATE' }), 'banned', 'account_banned', true],
    [
      'a restriction of messages',
      () => restriction('RESTRICTED_BIZ_INITIATED_MESSAGING', 'RESTRICTED_ADD_PHONE_NUMBER_ACTION'),
      'restricted',
      'account_restricted',
      false,
    ],
    [
      'a restriction that is not described',
      () => ({ event: 'ACCOUNT_RESTRICTION' }),
      'restricted',
      'account_restricted',
      true,
    ],
    [
      'a violation that restricts',
      () => ({ ...restriction('RESTRICTED_BIZ_INITIATED_MESSAGING'), event: 'ACCOUNT_VIOLATION' }),
      'restricted',
      'account_restricted',
      false,
    ],
    ['a deletion', () => ({ event: 'ACCOUNT_DELETED' }), 'deleted', 'account_deleted', true],
    ['an offboarding', () => ({ event: 'ACCOUNT_OFFBOARDED' }), 'removed', 'account_removed', true],
    [
      'a removal',
      () => ({
        event: 'PARTNER_REMOVED',
        waba_info: { waba_id: waba, owner_business_id: '2729063490586005' },
        disconnection_info: { reason: 'ACCOUNT_DISCONNECTED', initiated_by: 'USER' },
      }),
      'removed',
      'account_removed',
      true,
    ],
  ])('with %s holds the account and alerts', async (_what, value, cause, kind, waits) => {
    await tell('account_update', value());
    expect(await holds()).toMatchObject([{ cause, waits }]);
    expect(await alerts()).toMatchObject([{ kind, severity: 'error', times: 1 }]);
    expect(await metric(`tms_alerts_total{kind="${kind}",severity="error"}`)).toBeGreaterThan(0);
  });

  it('that holds makes messages wait, and loses none', async () => {
    await tell('account_update', ban('DISABLE'));
    const sent = await service().api.send('+12025550102');
    const id = sent.body.data['message_log_id'] as number;
    service().clock.forward(120_000); // two minutes, in which other holds are probed
    await tell('account_update', { event: 'VERIFIED_ACCOUNT' });
    expect(await service().api.message(id)).toMatchObject({ status: 'queued', attempts: 0 });
    await tell('account_update', ban('REINSTATE'));
    await eventually(async () => expect(await service().api.message(id)).toMatchObject({ status: 'sent' }));
  });

  it.each([
    ['a reinstatement', ban('DISABLE'), ban('REINSTATE')],
    ['a connection', { event: 'ACCOUNT_OFFBOARDED' }, { event: 'ACCOUNT_RECONNECTED' }],
    ['being shared again', { event: 'PARTNER_REMOVED' }, { event: 'PARTNER_ADDED' }],
  ])('with %s ends the hold and its alert', async (_what, cause, end) => {
    await tell('account_update', cause);
    expect(await holds()).toHaveLength(1);
    await tell('account_update', end);
    expect(await holds()).toEqual([]);
    expect((await alerts()).filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('with a reinstatement leaves a hold of another cause', async () => {
    await tell('account_update', { event: 'ACCOUNT_DELETED' });
    await tell('account_update', ban('REINSTATE'));
    expect(await holds()).toMatchObject([{ cause: 'deleted' }]);
  });

  it('does not let an older ban come after the reinstatement', async () => {
    const older = Math.floor(service().clock.now().getTime() / 1_000) - 60;
    await tell('account_update', ban('REINSTATE'));
    const entry = [{ id: waba, time: older, changes: [{ field: 'account_update', value: ban('DISABLE') }] }];
    await deliverText(service(), JSON.stringify({ entry }));
    await applied();
    expect(await holds()).toEqual([]);
  });

  it('does not hold again what somebody has lifted, when it is delivered again', async () => {
    service().clock.forward(2_000);
    const time = Math.floor(service().clock.now().getTime() / 1_000);
    const entry = [{ id: waba, time, changes: [{ field: 'account_update', value: ban('DISABLE') }] }];
    await deliverText(service(), JSON.stringify({ entry }));
    await applied();
    const [{ id } = { id: 0 }] = await run<{ id: number }>('SELECT id FROM holds WHERE lifted_at IS NULL');
    await service().app.get(HoldsService, { strict: false }).lift(id, 'command');
    await deliverText(service(), JSON.stringify({ entry }));
    await applied();
    expect(await holds()).toEqual([]);
  });

  it.each<[string, () => object, { kind: string; severity: string; text?: RegExp }]>([
    [
      'a ban to come',
      () => ban('SCHEDULE_FOR_DISABLE'),
      { kind: 'account_ban_scheduled', severity: 'error', text: /April 17, 2026/ },
    ],
    [
      'a restriction that stops no template',
      () => restriction('RESTRICTED_ADD_PHONE_NUMBER_ACTION'),
      { kind: 'account_restricted', severity: 'warning', text: /RESTRICTED_ADD_PHONE_NUMBER_ACTION/ },
    ],
    [
      'a violation',
      () => ({ event: 'ACCOUNT_VIOLATION', violation_info: { violation_type: 'ADULT' } }),
      { kind: 'account_violation', severity: 'warning', text: /ADULT/ },
    ],
    ['a verification', () => ({ event: 'VERIFIED_ACCOUNT' }), { kind: 'account_news', severity: 'info' }],
    [
      'a volume tier',
      () => ({
        event: 'VOLUME_BASED_PRICING_TIER_UPDATE',
        volume_tier_info: {
          tier_update_time: 1_743_451_903,
          pricing_category: 'UTILITY',
          tier: '25000001:50000000',
          effective_month: '2026-11',
          region: 'India',
        },
      }),
      { kind: 'account_news', severity: 'info', text: /UTILITY in India: 25000001:50000000/ },
    ],
    [
      'international rates',
      () => ({
        event: 'AUTH_INTL_PRICE_ELIGIBILITY_UPDATE',
        auth_international_rate_eligibility: { start_time: 1_795_000_000, exception_countries: [] },
      }),
      { kind: 'account_news', severity: 'info' },
    ],
    [
      'the country of the business',
      () => ({ event: 'BUSINESS_PRIMARY_LOCATION_COUNTRY_UPDATE', country: 'IN' }),
      { kind: 'account_news', severity: 'info', text: /IN/ },
    ],
    [
      'an event of the future',
      () => ({ event: 'ACCOUNT_TELEPORTED' }),
      { kind: 'account_news', severity: 'info', text: /ACCOUNT_TELEPORTED/ },
    ],
  ])('with %s alerts only', async (_what, value, { text = /./, ...alert }) => {
    await tell('account_update', value());
    expect(await holds()).toEqual([]);
    expect(await alerts()).toEqual([
      expect.objectContaining({ ...alert, text: expect.stringMatching(text) }),
    ]);
  });

  it('tells a restriction’s end, after which a message may try and the alert is gone', async () => {
    await tell('account_update', restriction('RESTRICTED_BIZ_INITIATED_MESSAGING'));
    const sent = await service().api.send('+12025550102');
    const id = sent.body.data['message_log_id'] as number;
    const [alert] = await alerts();
    expect(Date.parse(alert!['ends_at']) - service().clock.now().getTime()).toBeLessThan(3_600_000);
    service().clock.forward(3_600_000);
    await eventually(async () => expect(await service().api.message(id)).toMatchObject({ status: 'sent' }));
    expect(await holds()).toEqual([]);
    expect(await alerts()).toEqual([]);
  });

  it('learns from whom the account is', async () => {
    await run('UPDATE business_accounts SET portfolio_id = NULL');
    await tell('account_update', {
      event: 'AD_ACCOUNT_LINKED',
      waba_info: { waba_id: waba, owner_business_id: '2729063490586005', ad_account_linked: '1' },
    });
    expect(await run('SELECT portfolio_id FROM business_accounts WHERE waba_id = $1', [waba])).toEqual([
      { portfolio_id: '2729063490586005' },
    ]);
  });
});

describe('What only informs', () => {
  beforeEach(forgetTrouble);

  const description = 'Limits cannot be increased for your business.';
  const info = { alert_severity: 'CRITICAL', alert_status: 'ACTIVE', alert_type: 'OBA_REJECTED' };

  it.each([
    [
      'account_alerts',
      {
        entity_type: 'BUSINESS',
        entity_id: '506914307656634',
        alert_info: { ...info, alert_description: description },
      },
      { kind: 'account_alert', severity: 'error', text: `OBA_REJECTED: ${description}` },
    ],
    [
      'account_alerts',
      { entity_type: 'PHONE_NUMBER', entity_id: 106_540_352_242_922, ...info, alert_severity: 'WARNING' },
      { kind: 'account_alert', severity: 'warning' },
    ],
    [
      'security',
      { display_phone_number: '14155550100', event: 'PIN_RESET_REQUEST', requester: '61555822107539' },
      {
        kind: 'security',
        severity: 'warning',
        text: expect.stringContaining('+14155550100, by user 61555822107539'),
      },
    ],
  ])('%s is an alert', async (field, value, alert) => {
    await tell(field, value);
    expect(await alerts()).toMatchObject([alert]);
    expect(await holds()).toEqual([]);
  });

  it('account_alerts is over when the provider says so', async () => {
    await tell('account_alerts', { entity_id: '1', alert_info: info });
    expect(await alerts()).toHaveLength(1);
    await tell('account_alerts', { entity_id: '1', alert_info: { ...info, alert_status: 'RESOLVED' } });
    expect(await alerts()).toEqual([]);
  });

  it.each([
    ['in a list of their own', (list: object[]) => list],
    ['beside the contacts', (list: object[]) => ({ messaging_product: 'whatsapp', user_preferences: list })],
  ])('user_preferences %s are counted', async (_how, made) => {
    const counted = () => metric('tms_user_preferences_total{value="stop"}');
    const before = await counted();
    const wish = { wa_id: '12025550102', detail: 'User requested to stop marketing messages' };
    const stop = { ...wish, category: 'marketing_messages', value: 'stop', timestamp: 1_731_705_721 };
    await tell('user_preferences', made([stop, { ...stop, user_id: 'US.1' }]));
    expect((await counted()) - before).toBe(2);
  });

  it('inbound messages are kept and counted, beside receipts', async () => {
    const counted = () => metric('tms_inbound_messages_total{type="button"}');
    const before = await counted();
    const message = { from: '12025550102', id: 'wamid.in', timestamp: '1731705721' };
    await tell('messages', {
      messaging_product: 'whatsapp',
      messages: [
        { ...message, type: 'button', button: { payload: 'STOP', text: 'Stop' } },
        { ...message, from: undefined, from_user_id: 'US.1', type: 'of_the_future' },
      ],
    });
    expect((await counted()) - before).toBe(1);
    expect(await metric('tms_inbound_messages_total{type="other"}')).toBeGreaterThan(0);
    const [row] = await run(`SELECT processed_at FROM webhook_inbox WHERE payload LIKE '%wamid.in%'`);
    expect(row).toEqual({ processed_at: expect.any(Date) });
  });

  it('a field of the future is kept and counted', async () => {
    const counted = () => metric('tms_webhook_updates_total{field="other",effect="unknown"}');
    const before = await counted();
    await tell('account_settings_update', { anything: true });
    expect((await counted()) - before).toBe(1);
    expect(await alerts()).toEqual([]);
  });
});

describe('message_template_status_update', () => {
  const name = { message_template_name: 'order_receipt', message_template_language: 'en-US' };
  const event = (what: string) =>
    tell('message_template_status_update', { ...name, event: what, reason: 'NONE' });

  const status = async () => {
    const [row] = await run<{ status: string; provider_status: string }>(
      `SELECT status, provider_status FROM templates WHERE name = 'order_receipt' AND language = 'en_US'`,
    );
    return row!.status;
  };

  /** The provider's list cannot be had: what the webhooks say stands. */
  const withoutList = async (work: () => Promise<void>) => {
    service().sandbox.control.revokeToken(waba);
    await work();
    service().sandbox.control.restoreToken(waba);
  };

  it.each([
    ['APPROVED', 'APPROVED'],
    ['PAUSED', 'PAUSED'],
    ['REJECTED', 'REJECTED'],
  ])('with UNARCHIVED restores what was %s before', async (before, after) => {
    await withoutList(async () => {
      await event(before);
      await event('ARCHIVED');
      expect(await status()).toBe('DISABLED');
      await event('LOCKED'); // says nothing of it
      await event('UNARCHIVED');
      expect(await status()).toBe(after);
      await event('UNARCHIVED');
      expect(await status()).toBe(after);
    });
  });

  it('with UNARCHIVED leaves a template as it is of which nothing is known from before', async () => {
    await withoutList(async () => {
      await event('DISABLED');
      await event('UNARCHIVED');
      expect(await status()).toBe('DISABLED');
    });
  });

  it('with LOCKED leaves a template as it is', async () => {
    await withoutList(async () => {
      for (const before of ['APPROVED', 'PAUSED']) {
        await event(before);
        await event('LOCKED');
        expect(await status()).toBe(before);
      }
    });
  });

  it.each(['LOCKED', 'UNARCHIVED'])('with %s asks the provider', async (what) => {
    const refresh = jest.spyOn(service().app.get(TemplateSyncService, { strict: false }), 'refresh');
    await event(what);
    const account = await service().app.get(AccountsService, { strict: false }).secretsOfWaba(waba);
    expect(refresh).toHaveBeenCalledWith(account!.id);
    refresh.mockRestore();
  });
});

describe('message_template_components_update', () => {
  it('has the provider’s list asked for, which has all of the components', async () => {
    const refresh = jest.spyOn(service().app.get(TemplateSyncService, { strict: false }), 'refresh');
    await tell('message_template_components_update', {
      message_template_name: 'order_receipt',
      message_template_language: 'en_US',
      message_template_element: 'A new text.',
    });
    const account = await service().app.get(AccountsService, { strict: false }).secretsOfWaba(waba);
    expect(refresh).toHaveBeenCalledWith(account!.id);
    refresh.mockRestore();
  });
});

describe('template_category_update', () => {
  const NAME = { message_template_name: 'shipping_delay', message_template_language: 'en_US' };
  const update = (fields: object) => tell('template_category_update', { ...NAME, ...fields });
  const warning = { new_category: 'UTILITY', correct_category: 'MARKETING' };

  async function shown(): Promise<Record<string, any> | undefined> {
    viewer ??= await dashboardApi(service(), 'viewer');
    const { body } = await viewer.get('/dashboard/api/templates?search=shipping_delay&language=en_US');
    return (body.data as unknown as Record<string, any>[])[0];
  }
  const day = 24 * 3_600_000;

  beforeAll(() => {
    service().sandbox.addTemplate(waba, {
      name: 'shipping_delay',
      language: 'en_US',
      category: 'UTILITY',
      status: 'APPROVED',
      components: [{ type: 'BODY', text: 'Your parcel is late.' }],
    });
  });
  beforeEach(async () => {
    await forgetTrouble();
    const account = await service().app.get(AccountsService, { strict: false }).secretsOfWaba(waba);
    await service().app.get(TemplateSyncService, { strict: false }).sync(account!.id);
    await run(`UPDATE templates SET category = 'UTILITY' WHERE name = 'shipping_delay'`);
  });

  it('with a warning is shown with its day and alerted, and not dismissed before it has happened', async () => {
    await update(warning);
    const { category, category_change: change, template_id: id } = (await shown())!;
    expect({ category, to: change.category }).toEqual({ category: 'UTILITY', to: 'MARKETING' });
    const ahead = Date.parse(change.at) - service().clock.now().getTime();
    expect(Math.abs(ahead - day)).toBeLessThan(60_000);
    const [alert] = await alerts();
    expect(alert).toMatchObject({ kind: 'category_change', severity: 'warning', may_dismiss: false });
    expect(alert!['text']).toContain('shipping_delay (en_US)');
    const editor = await dashboardApi(service(), 'editor');
    expect((await editor.post(`/dashboard/api/alerts/${alert!['alert_id']}/dismiss`)).status).toBe(404);
    const detail = await editor.get(`/dashboard/api/templates/${id}`);
    expect(detail.body.data['category_change']).toEqual(change);

    await update({ previous_category: 'UTILITY', new_category: 'MARKETING' });
    expect(await shown()).toMatchObject({ category: 'MARKETING', category_change: null });
    expect(await alerts()).toEqual([]);
  });

  it('tells the day that the provider names', async () => {
    const at = Math.floor(service().clock.now().getTime() / 1_000) + 7_200;
    await update({ ...warning, category_update_timestamp: at });
    expect(Date.parse((await shown())!['category_change'].at)).toBe(at * 1_000);
  });

  it('with a warning that names the category that it has is withdrawn', async () => {
    await update(warning);
    await update({ new_category: 'UTILITY', correct_category: 'UTILITY' });
    expect(await shown()).toMatchObject({ category: 'UTILITY', category_change: null });
    expect(await alerts()).toEqual([]);
  });

  it('is over when the provider’s list has the new category, or a day later still the old one', async () => {
    const changes = service().app.get(CategoryChangesService, { strict: false });
    await update(warning);
    await changes.settle();
    expect(await alerts()).toHaveLength(1);
    await run(`UPDATE templates SET category = 'MARKETING' WHERE name = 'shipping_delay'`);
    await changes.settle();
    expect(await alerts()).toEqual([]);

    await run(`UPDATE templates SET category = 'UTILITY' WHERE name = 'shipping_delay'`);
    await update(warning);
    const synced = (hours: number) =>
      run(`UPDATE business_accounts SET templates_synced_at = $1 WHERE waba_id = $2`, [
        new Date(service().clock.now().getTime() + hours * 3_600_000),
        waba,
      ]);
    await synced(40);
    await changes.settle();
    expect(await alerts()).toHaveLength(1);
    await synced(50);
    await changes.settle();
    expect(await alerts()).toEqual([]);
    await synced(0);
  });
});
