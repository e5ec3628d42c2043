import { beforeEach, describe, expect, it } from '@jest/globals';
import { DEMO } from '../src/embedded/demo.js';
import { HoldsService } from '../src/outbox/holds/holds.service.js';
import { eventually } from './support/eventually.js';
import { useTestService } from './support/test-service.js';
import { ToldUpdates } from './support/told-updates.js';

const service = useTestService();
const told = new ToldUpdates(service);
const waba = DEMO.wabaId;

const inAnHour = () => Math.floor(service().clock.now().getTime() / 1_000) + 3_600;

describe('account_update', () => {
  beforeEach(() => told.forgetTrouble());

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
    await told.tell('account_update', value());
    expect(await told.holds()).toMatchObject([{ cause, waits }]);
    expect(await told.alerts()).toMatchObject([{ kind, severity: 'error', times: 1 }]);
    expect(await told.metric(`tms_alerts_total{kind="${kind}",severity="error"}`)).toBeGreaterThan(0);
  });

  it('with a ban makes messages wait until the hold ends, and loses none', async () => {
    await told.tell('account_update', ban('DISABLE'));
    const sent = await service().api.send('+12025550102');
    const id = sent.body.data['message_log_id'] as number;
    service().clock.forward(120_000); // two minutes, in which any other hold would be probed
    await told.tell('account_update', { event: 'VERIFIED_ACCOUNT' });
    expect(await service().api.message(id)).toMatchObject({ status: 'queued', attempts: 0 });
    await told.tell('account_update', ban('REINSTATE'));
    await eventually(async () => expect(await service().api.message(id)).toMatchObject({ status: 'sent' }));
  });

  it.each([
    ['a reinstatement', ban('DISABLE'), ban('REINSTATE')],
    ['a connection', { event: 'ACCOUNT_OFFBOARDED' }, { event: 'ACCOUNT_RECONNECTED' }],
    ['being shared again', { event: 'PARTNER_REMOVED' }, { event: 'PARTNER_ADDED' }],
  ])('with %s ends the hold and its alert', async (_what, cause, end) => {
    await told.tell('account_update', cause);
    expect(await told.holds()).toHaveLength(1);
    await told.tell('account_update', end);
    expect(await told.holds()).toEqual([]);
    expect((await told.alerts()).filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('with a reinstatement leaves a hold of another cause', async () => {
    await told.tell('account_update', { event: 'ACCOUNT_DELETED' });
    await told.tell('account_update', ban('REINSTATE'));
    expect(await told.holds()).toMatchObject([{ cause: 'deleted' }]);
  });

  it('with a ban older than the reinstatement holds nothing', async () => {
    const older = Math.floor(service().clock.now().getTime() / 1_000) - 60;
    await told.tell('account_update', ban('REINSTATE'));
    await told.tellAt(older, 'account_update', ban('DISABLE'));
    expect(await told.holds()).toEqual([]);
  });

  it('that is delivered twice does not bring back a hold that somebody has lifted', async () => {
    service().clock.forward(2_000);
    const time = Math.floor(service().clock.now().getTime() / 1_000);
    await told.tellAt(time, 'account_update', ban('DISABLE'));
    const [{ id } = { id: 0 }] = await told.run<{ id: number }>(
      'SELECT id FROM holds WHERE lifted_at IS NULL',
    );
    await service().app.get(HoldsService, { strict: false }).lift(id, 'command');
    await told.tellAt(time, 'account_update', ban('DISABLE'));
    expect(await told.holds()).toEqual([]);
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
  ])('with %s raises an alert but no hold', async (_what, value, { text = /./, ...alert }) => {
    await told.tell('account_update', value());
    expect(await told.holds()).toEqual([]);
    expect(await told.alerts()).toEqual([
      expect.objectContaining({ ...alert, text: expect.stringMatching(text) }),
    ]);
  });

  it('tells when a restriction ends; after that, messages are sent and the alert is gone', async () => {
    await told.tell('account_update', restriction('RESTRICTED_BIZ_INITIATED_MESSAGING'));
    const sent = await service().api.send('+12025550102');
    const id = sent.body.data['message_log_id'] as number;
    const [alert] = await told.alerts();
    expect(Date.parse(alert!['ends_at']) - service().clock.now().getTime()).toBeLessThan(3_600_000);
    service().clock.forward(3_600_000);
    await eventually(async () => expect(await service().api.message(id)).toMatchObject({ status: 'sent' }));
    // The hold ends with the outcome of the message, a moment later.
    await eventually(async () => expect(await told.holds()).toEqual([]));
    await eventually(async () => expect(await told.alerts()).toEqual([]));
  });

  it('names the owner of the account, which is stored', async () => {
    await told.run('UPDATE business_accounts SET portfolio_id = NULL');
    await told.tell('account_update', {
      event: 'AD_ACCOUNT_LINKED',
      waba_info: { waba_id: waba, owner_business_id: '2729063490586005', ad_account_linked: '1' },
    });
    expect(await told.run('SELECT portfolio_id FROM business_accounts WHERE waba_id = $1', [waba])).toEqual([
      { portfolio_id: '2729063490586005' },
    ]);
  });
});

describe('A webhook that only informs', () => {
  beforeEach(() => told.forgetTrouble());

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
  ])('of %s raises an alert', async (field, value, alert) => {
    await told.tell(field, value);
    expect(await told.alerts()).toMatchObject([alert]);
    expect(await told.holds()).toEqual([]);
  });

  it('of account_alerts ends the alert when it says that the cause is resolved', async () => {
    await told.tell('account_alerts', { entity_id: '1', alert_info: info });
    expect(await told.alerts()).toHaveLength(1);
    await told.tell('account_alerts', { entity_id: '1', alert_info: { ...info, alert_status: 'RESOLVED' } });
    expect(await told.alerts()).toEqual([]);
  });

  it.each([
    ['as a list', (list: object[]) => list],
    ['beside the contacts', (list: object[]) => ({ messaging_product: 'whatsapp', user_preferences: list })],
  ])('of user_preferences, %s, is counted', async (_how, made) => {
    const counted = () => told.metric('tms_user_preferences_total{value="stop"}');
    const before = await counted();
    const wish = { wa_id: '12025550102', detail: 'User requested to stop marketing messages' };
    const stop = { ...wish, category: 'marketing_messages', value: 'stop', timestamp: 1_731_705_721 };
    await told.tell('user_preferences', made([stop, { ...stop, user_id: 'US.1' }]));
    expect((await counted()) - before).toBe(2);
  });

  it('with inbound messages is kept and counted', async () => {
    const counted = () => told.metric('tms_inbound_messages_total{type="button"}');
    const before = await counted();
    const message = { from: '12025550102', id: 'wamid.in', timestamp: '1731705721' };
    await told.tell('messages', {
      messaging_product: 'whatsapp',
      messages: [
        { ...message, type: 'button', button: { payload: 'STOP', text: 'Stop' } },
        { ...message, from: undefined, from_user_id: 'US.1', type: 'of_the_future' },
      ],
    });
    expect((await counted()) - before).toBe(1);
    expect(await told.metric('tms_inbound_messages_total{type="other"}')).toBeGreaterThan(0);
    const [row] = await told.run(`SELECT processed_at FROM webhook_inbox WHERE payload LIKE '%wamid.in%'`);
    expect(row).toEqual({ processed_at: expect.any(Date) });
  });

  it('of an unknown field is kept and counted', async () => {
    const counted = () => told.metric('tms_webhook_updates_total{field="other",effect="unknown"}');
    const before = await counted();
    await told.tell('account_settings_update', { anything: true });
    expect((await counted()) - before).toBe(1);
    expect(await told.alerts()).toEqual([]);
  });
});
