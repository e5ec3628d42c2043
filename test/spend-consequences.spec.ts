import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { DEMO } from '../src/embedded/demo.js';
import { spendLimitReached } from '../src/spending/spend-limit-reached.js';
import { SpendLimitsService } from '../src/spending/spend-limits.service.js';
import { AlertsService } from '../src/alerts/alerts.service.js';
import type { Api } from './support/api.js';
import { CampaignsApi, recipientsCsv } from './support/campaigns.js';
import { dashboardApi } from './support/dashboard-api.js';
import { eventually } from './support/eventually.js';
import './support/matchers.js';
import { send as request } from './support/template-drafts.js';
import { useTestService } from './support/test-service.js';
import { deliver, receipt } from './support/webhooks.js';
import { untilStreamIsWhole } from './support/whole-stream.js';

const service = useTestService();
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Recipients of the sandbox: fails, fails by a receipt, 131049 in the answer, taken without further receipts. */
const FAILS = '0110';
const FAILS_LATER = '0112';
const CAPPED = '0113';
const SENT_ONLY = '0102';

let owner: Api;
let limits: SpendLimitsService;
let tenantId: string;
let cost: number;
let limitId: number;
beforeAll(async () => {
  limits = service().app.get(SpendLimitsService, { strict: false });
  ({ tenantId } = service());
  // At noon, as a day ends at midnight, and one of the tests moves the clock by hours.
  service().clock.forward(DAY - ((service().clock.now().getTime() + DAY / 2) % DAY));
  // After the clock has moved, as a session ends some hours after it was last used.
  owner = await dashboardApi(service(), 'owner');
  cost = (await service().api.send(phoneOf(SENT_ONLY))).body.data['cost'];
});
afterEach(async () => {
  for (const { spend_limit_id } of await limits.list(tenantId)) await limits.remove(tenantId, spend_limit_id);
});

let exchange = 200;
const phoneOf = (suffix: string) => `1202${(exchange += 1)}${suffix}`;
const DAILY = { scope: 'tenant', period: 'day', currency: 'USD' } as const;
const target = () => ({ ...DAILY, tenantId, targetId: tenantId });
const set = async (amount: number) => (limitId = await limits.set(target(), amount.toFixed(6)));
const state = async () =>
  (await limits.list(tenantId)).find(({ spend_limit_id }) => spend_limit_id === limitId)!;
const spent = async () => Number((await state()).spent);

/** Sets a limit with room for so many messages more. */
async function allow(messages: number): Promise<number> {
  await set(1_000_000);
  const before = await spent();
  await set(before + messages * cost);
  return before;
}

async function send(suffix: string, fields: Record<string, unknown> = {}): Promise<number> {
  const answer = await service().api.send(phoneOf(suffix), fields);
  expect(answer.status).toBe(202);
  return answer.body.data['message_log_id'];
}
const inAnHour = () => ({
  scheduled_at: new Date(service().clock.now().getTime() + HOUR).toISOString(),
  timezone: 'UTC',
});
const becomes = (id: number, status: string) =>
  eventually(async () => expect(await service().api.message(id)).toMatchObject({ status }));
const alerts = async () => {
  const open = await service().app.get(AlertsService, { strict: false }).open(tenantId, false);
  return open
    .filter(({ kind }) => kind === 'spending')
    .map(({ severity, text }) => [severity, text.slice(0, 34)]);
};

/** The texts of all alerts in the stream of events, oldest first. */
async function told(): Promise<string[]> {
  await untilStreamIsWhole(service());
  const { body } = await service().api.get('/api/v1/events?types=account.alert&limit=1000');
  const events = body.data as unknown as { data: { kind: string; text: string } }[];
  return events.filter(({ data }) => data.kind === 'spending').map(({ data }) => data.text);
}

describe('Under a spending limit', () => {
  it('a message that fails gives back what it cost', async () => {
    const before = await allow(1);
    const id = await send(FAILS);
    await becomes(id, 'failed');
    expect(await spent()).toBeCloseTo(before, 6);
    await send(SENT_ONLY);
    expect(await service().api.send(phoneOf(SENT_ONLY))).toBeError(422, 'SPEND_LIMIT_REACHED');
  });

  it('a message that is delivered after it had failed is counted again, beyond the limit if need be', async () => {
    const before = await allow(1);
    const id = await send(FAILS_LATER);
    await becomes(id, 'failed');
    await send(SENT_ONLY);
    const { provider_message_id } = await service().api.message(id);
    const value = receipt({ id: provider_message_id, status: 'delivered' });
    await deliver(service(), [DEMO.wabaId, 'messages', value]);
    await becomes(id, 'delivered');
    expect(await spent()).toBeCloseTo(before + 2 * cost, 6);
  });

  it('the auto-retry after 131049 is made though there is no room, in the place of the message that it repeats', async () => {
    const before = await allow(1);
    const id = await send(CAPPED, { auto_retry_on_frequency_cap: true });
    await becomes(id, 'failed');
    const events = await eventually(async () => {
      const { body } = await service().api.get(
        `/api/v1/messages?phone=${(await service().api.message(id))['phone']}`,
      );
      expect(body.data).toHaveLength(2);
      return body.data as unknown as Record<string, unknown>[];
    });
    expect(events[0]).toMatchObject({ status: 'scheduled', retry_of: id });
    expect(await spent()).toBeCloseTo(before + cost, 6);
    expect(await service().api.send(phoneOf(SENT_ONLY))).toBeError(422, 'SPEND_LIMIT_REACHED');
  });

  it('a message that is canceled gives back what it cost', async () => {
    const before = await allow(1);
    const id = await send(SENT_ONLY, inAnHour());
    await service().api.post(`/api/v1/messages/${id}/cancel`, {});
    expect(await spent()).toBeCloseTo(before, 6);
  });

  it('a message that nobody wants any more gives back what it cost', async () => {
    const before = await allow(1);
    const { scheduled_at: due, timezone } = inAnHour();
    const until = new Date(Date.parse(due) + 1_000);
    const id = await send(SENT_ONLY, { scheduled_at: due, timezone, valid_until: until.toISOString() });
    service().clock.forward(2 * HOUR);
    await becomes(id, 'failed');
    expect((await service().api.message(id))['error']).toMatchObject({ code: 'EXPIRED' });
    expect(await spent()).toBeCloseTo(before, 6);
  });

  /** The severities of the open alerts. */
  const kinds = async () => (await alerts()).map(([severity]) => severity);
  /** Which percentages were told after so many alerts. */
  const percentsSince = async (before: number) =>
    (await told()).slice(before).map((text) => /^(The|\d+)/.exec(text)?.[0]);

  it('people are told at 50, 80 and 100 %, once each, and see the highest that is passed', async () => {
    const before = (await told()).length;
    await set(1_000_000);
    const most = (await spent()) * 2 + 4 * cost;
    await set(most);
    expect(await alerts()).toEqual([]);
    const sendUntil = async (part: number) => {
      while ((await spent()) < part * most) await send(SENT_ONLY);
    };
    await sendUntil(0.5);
    await eventually(async () => expect(await kinds()).toEqual(['info']));
    await sendUntil(0.8);
    await eventually(async () => expect(await kinds()).toEqual(['warning']));
    while ((await service().api.send(phoneOf(SENT_ONLY))).status === 202);
    await eventually(async () => expect(await kinds()).toEqual(['error']));
    expect(await percentsSince(before)).toEqual(['50', '80', 'The']);
  });

  it('people are told of each of 50, 80 and 100 % in this order where several are passed at once', async () => {
    const before = (await told()).length;
    await set(1_000_000);
    const sum = await spent();
    await set(sum / 0.9);
    await eventually(async () => expect(await kinds()).toEqual(['warning']));
    expect(await percentsSince(before)).toEqual(['50', '80']);
    await set(sum);
    await eventually(async () => expect(await kinds()).toEqual(['error']));
    expect(await percentsSince(before)).toEqual(['50', '80', '50', '80', 'The']);
  });

  it('people are told of all three when a message is refused, and that it would have passed them', async () => {
    const before = (await told()).length;
    await set(0);
    expect(await service().api.send(phoneOf(SENT_ONLY))).toBeError(422, 'SPEND_LIMIT_REACHED');
    await eventually(async () => expect(await kinds()).toEqual(['error']));
    const [half, most, all] = (await told()).slice(before);
    expect(half).toMatch(
      /^50 % of the daily limit of the tenant would be passed by a message that was refused/,
    );
    expect(most).toMatch(
      /^80 % of the daily limit of the tenant would be passed by a message that was refused/,
    );
    expect(all).toMatch(/^The daily limit of the tenant is reached/);
  });

  it('amounts have twelve digits before the point, and are exact', async () => {
    const put = (amount: string) =>
      request(owner, 'PUT', '/dashboard/api/spend-limits', { period: 'day', currency: 'IDR', amount });
    const most = '999999999999.999999';
    expect((await put(most)).status).toBe(200);
    expect(await put('1000000000000')).toBeError(400, 'VALIDATION_FAILED');
    const [limit] = await limits.list(tenantId);
    expect(limit).toMatchObject({ amount: most, spent: '0.000000' });
    const charge = { tenant_id: tenantId, messaging_account_id: 1, currency: 'IDR' };
    expect(await limits.reachedBy({ ...charge, cost: '99999999.999999' })).toEqual([]);
    const text = 'UPDATE spend_limits SET spent = 999999999999.999998 WHERE id = $1';
    await service().database.run({ name: '', text }, [limit?.spend_limit_id]);
    expect(await limits.reachedBy({ ...charge, cost: '0.000001' })).toEqual([]);
    const [reached] = await limits.reachedBy({ ...charge, cost: '0.000002' });
    expect(reached).toMatchObject({ amount: most, spent: '999999999999.999998' });
    expect(spendLimitReached([reached!]).message).toContain(`, ${most} IDR, has no room`);
    await eventually(async () =>
      expect((await told()).at(-1)).toContain(`999999999999.999998 of ${most} IDR`),
    );
  });

  it('a campaign pauses with the limit as its cause, and goes on when there is room again', async () => {
    const campaigns = new CampaignsApi(owner);
    const id = await campaigns.ready(recipientsCsv(6));
    await set(1_000_000);
    const price = Number((await campaigns.get(id))['verdict'].costs[0].amount) / 6;
    await set((await spent()) + 2 * price);
    await campaigns.start(id);
    const paused = await eventually(async () => {
      const campaign = await campaigns.get(id);
      expect(campaign).toMatchObject({ status: 'paused', cause: { code: 'SPEND_LIMIT_REACHED' } });
      return campaign;
    });
    expect(paused['cause'].message).toMatch(/^The daily limit of the tenant, .* begins anew at/);
    await untilStreamIsWhole(service());
    const { body } = await service().api.get('/api/v1/events?types=campaign.paused&limit=1000');
    expect(body.data).toEqual([
      expect.objectContaining({
        data: expect.objectContaining({ cause: expect.objectContaining({ code: 'SPEND_LIMIT_REACHED' }) }),
      }),
    ]);
    await set(1_000_000);
    await campaigns.act(id, 'resume');
    await eventually(async () =>
      expect(await campaigns.get(id)).toMatchObject({
        status: 'finished',
        accepted_count: 6,
        refused_count: 0,
      }),
    );
  });
});
