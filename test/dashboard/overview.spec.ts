import { beforeAll, describe, expect, it } from '@jest/globals';
import { getQueueToken } from '@nestjs/bull';
import type { Queue } from 'bull';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import { MarketingCapStats1763820000021 } from '../../src/database/migrations/1763820000021-marketing-cap-stats.js';
import { MessageStatsService, PASSES } from '../../src/statistics/message-stats.service.js';
import { HOUSEKEEPING_QUEUE } from '../../src/scheduling/housekeeping.processor.js';
import type { Api } from '../support/api.js';
import { dashboardApi } from '../support/dashboard-api.js';
import { eventually } from '../support/eventually.js';
import '../support/matchers.js';
import { directUrlOf } from '../support/infrastructure.js';
import { fillOutbox } from '../support/outbox.js';
import { useTestService } from '../support/test-service.js';
import { addTenant, template, type TestTenant } from '../support/tenants.js';

const OVERVIEW = '/dashboard/api/overview';
const HOUR = 3_600_000;

const service = useTestService();
let stats: MessageStatsService;
beforeAll(async () => {
  stats = service().app.get(MessageStatsService, { strict: false });
  // Only tests count messages here: the regular count is off, as it could run in between.
  await service().app.get<Queue>(getQueueToken(HOUSEKEEPING_QUEUE), { strict: false }).pause(true);
  await service().database.run({ name: '', text: 'DELETE FROM message_stats_passes' });
});

const read = async (api: Api, query = 'period=24h') =>
  (await api.get(`${OVERVIEW}?${query}`)).body.data as Record<string, any>;
const total = async (api: Api, query?: string) => (await read(api, query))['totals'];

interface Row {
  /** Hours since the message was accepted. */
  age: number;
  status: string;
  template?: string;
  category?: string;
  cost?: string;
  currency?: string;
  code?: number;
  count?: number;
}

/** A tenant with a user, whose messages are put straight into log and outbox. */
async function addViewer(templates = ['one', 'two']) {
  const tenant = await addTenant(service(), { templates: templates.map((name) => template(name, 'Hello!')) });
  const api = await dashboardApi(service(), 'viewer', { tenantId: tenant.id });
  return { tenant, api, put: (...rows: Row[]) => putMessages(tenant, rows) };
}

async function putMessages(tenant: TestTenant, rows: Row[]): Promise<number[]> {
  const now = service().clock.now().getTime();
  const values = rows.map((row) => ({
    template: 'one',
    category: 'MARKETING',
    cost: '0.010000',
    currency: 'USD',
    count: 1,
    ...row,
    at: new Date(now - row.age * HOUR),
    error: row.code === undefined ? null : { code: row.code, title: 'Refused', details: null },
  }));
  const inserted = await service().database.run<{ id: number }>(
    {
      name: 'test_put',
      text: `
        INSERT INTO message_logs (tenant_id, messaging_account_id, template_id, phone, template_name, language,
          components, status, auto_retry_on_frequency_cap, conversation_category, cost, currency, created_at,
          error, sent_at, delivered_at, read_at, failed_at)
        SELECT $1, n.id, t.id, '12025550100', t.name, t.language, '[]', r.status, false, r.category, r.cost,
          r.currency, r.at, r.error,
          CASE WHEN r.status IN ('sent', 'delivered', 'read') OR r.error IS NOT NULL THEN r.at END,
          CASE WHEN r.status IN ('delivered', 'read') THEN r.at END,
          CASE WHEN r.status = 'read' THEN r.at END,
          CASE WHEN r.status = 'failed' THEN r.at END
        FROM json_to_recordset($2) AS r(at timestamptz, status text, template text, category text, cost numeric,
          currency text, count integer, error jsonb)
        CROSS JOIN LATERAL generate_series(1, r.count)
        JOIN messaging_accounts n ON n.tenant_id = $1
        JOIN templates t ON t.tenant_id = $1 AND t.name = r.template
        RETURNING id`,
    },
    [tenant.id, JSON.stringify(values)],
  );
  await service().database.run({ name: '', text: fillOutbox() });
  return inserted.map(({ id }) => id);
}

const setStatus = (id: number, changes: string) =>
  service().database.run({ name: '', text: `UPDATE message_logs SET ${changes} WHERE id = ${id}` });
const pass = async (milliseconds: number) => {
  service().clock.forward(milliseconds);
  await stats.count();
};

describe('the figures', () => {
  it('follow messages from being accepted to being read', async () => {
    const viewer = await dashboardApi(service(), 'viewer');
    expect(await read(viewer)).toMatchObject({ has_messages: false, templates: [], costs: [] });
    await service().api.send('+12025550100');
    await service().api.send('+12025550101');
    await service().api.send('+12025550110');
    await eventually(async () => {
      const { totals, templates, series } = await read(viewer);
      expect(totals).toMatchObject({ accepted: 3, sent: 2, delivered: 2, read: 1, failed: 1 });
      expect(totals).toMatchObject({ read_rate: 0.5, failure_rate: 1 / 3 });
      expect(templates).toMatchObject([{ name: 'order_update', language: 'en_US', sent: 2, warnings: [] }]);
      expect(series).toHaveLength(24);
      expect(series.reduce((sum: number, point: any) => sum + point.read, 0)).toBe(1);
    });
  });

  it('are compared with the period before', async () => {
    const { api, put } = await addViewer();
    await put({ age: 1, status: 'read', count: 3 }, { age: 30, status: 'delivered', count: 2 });
    expect(await read(api)).toMatchObject({
      totals: { accepted: 3, read: 3 },
      previous: { accepted: 2, delivered: 2, read: 0 },
    });
    expect(await total(api, 'period=7d')).toMatchObject({ accepted: 5, read: 3 });
  });

  it('have one point for each day of the zone', async () => {
    const { api, put } = await addViewer();
    await put({ age: 0, status: 'sent' });
    const { series, unit } = await read(api, 'period=30d&zone=Pacific/Kiritimati');
    expect(unit).toBe('day');
    expect(series).toHaveLength(30);
    expect(series.at(-1)).toMatchObject({ sent: 1 });
    expect(await api.get(`${OVERVIEW}?zone=Mars`)).toBeError(422, 'INVALID_TIMEZONE');
    expect(await api.get(`${OVERVIEW}?period=1y`)).toBeError(400, 'VALIDATION_FAILED');
  });

  it('give the cost by category for each currency, without refunded messages', async () => {
    const { api, put } = await addViewer();
    await put(
      { age: 1, status: 'read', cost: '0.100000', count: 3 },
      { age: 1, status: 'failed', cost: '0.100000' },
      { age: 1, status: 'sent', cost: '0.000001', category: 'UTILITY' },
      { age: 1, status: 'sent', cost: '5.500000', currency: 'INR' },
      { age: 30, status: 'sent', cost: '0.200000' },
    );
    const { costs } = await read(api);
    expect(costs).toMatchObject([
      { currency: 'INR', amount: '5.500000', previous_amount: '0.000000' },
      { currency: 'USD', amount: '0.300001', previous_amount: '0.200000' },
    ]);
    expect(costs[1].points.map(({ by_category }: any) => by_category)).toContainEqual({
      MARKETING: '0.300000',
      UTILITY: '0.000001',
    });
  });

  it('count people who stop marketing messages, and warn of them', async () => {
    const { api, put } = await addViewer();
    await put(
      { age: 1, status: 'read', count: 95 },
      { age: 1, status: 'failed', code: 131050, count: 5 },
      { age: 1, status: 'failed', code: 131026 },
      { age: 1, status: 'read', template: 'two', count: 10 },
    );
    expect((await read(api))['templates']).toMatchObject([
      { name: 'one', failed: 6, opted_out: 5, capped: 0, warnings: ['opt_outs_high'] },
      { name: 'two', opted_out: 0, capped: 0, warnings: [] },
    ]);
  });

  it('count messages at the marketing cap apart from people who stop marketing', async () => {
    const { api, put } = await addViewer();
    await put(
      { age: 1, status: 'read', count: 80 },
      { age: 1, status: 'failed', code: 131049, count: 19 },
      { age: 1, status: 'failed', code: 131050 },
    );
    const { totals, templates } = await read(api);
    expect(totals).toMatchObject({
      failed: 20,
      opted_out: 1,
      capped: 19,
      opt_out_rate: 0.01,
      cap_rate: 0.19,
    });
    expect(templates).toMatchObject([{ name: 'one', opted_out: 1, capped: 19, warnings: [] }]);
  });

  it('have nothing of another tenant', async () => {
    const { put } = await addViewer();
    await put({ age: 1, status: 'read' });
    await stats.recount(new Date(service().clock.now().getTime() - 10 * HOUR), service().clock.now());
    const { api } = await addViewer();
    expect(await read(api)).toMatchObject({ has_messages: false, totals: { accepted: 0 }, templates: [] });
    expect((await api.get(`${OVERVIEW}/queue`)).body.data).toMatchObject({ waiting: 0, holds: [] });
  });
});

describe('the roll-ups', () => {
  it('have the same numbers as the messages themselves', async () => {
    const { api, put } = await addViewer();
    await put(
      ...[0, 1, 5, 30, 200, 1_000].flatMap((age) => [
        { age, status: 'read', count: 2 },
        { age, status: 'failed', code: age === 5 ? 131050 : 131049 },
        { age, status: 'sent', template: 'two', currency: 'INR' },
      ]),
    );
    const live = await read(api, 'period=90d');
    expect(live['totals']).toMatchObject({
      accepted: 24,
      sent: 24,
      read: 12,
      failed: 6,
      opted_out: 1,
      capped: 5,
    });
    await stats.recount(new Date(service().clock.now().getTime() - 2_000 * HOUR), service().clock.now());
    await stats.count();
    const { as_of: _live, ...expected } = live;
    const { as_of: _counted, ...counted } = await read(api, 'period=90d');
    expect(counted).toEqual(expected);
  });

  it('include late receipts, sooner for new messages than for old ones', async () => {
    const { api, put } = await addViewer();
    const [young, old, ancient] = await put(
      { age: 10, status: 'sent' },
      { age: 24 * 20, status: 'sent' },
      { age: 24 * 60, status: 'sent' },
    );
    await stats.recount(new Date(service().clock.now().getTime() - 24 * 90 * HOUR), service().clock.now());
    await pass(PASSES.all.every);
    for (const id of [young, old, ancient]) {
      await setStatus(id!, `status = 'read', delivered_at = now(), read_at = now()`);
    }
    await pass(PASSES.newest.every);
    expect(await total(api, 'period=90d')).toMatchObject({ sent: 3, read: 0 });
    await pass(PASSES.recent.every);
    expect(await total(api, 'period=90d')).toMatchObject({ sent: 3, read: 1 });
    await pass(PASSES.all.every);
    expect(await total(api, 'period=90d')).toMatchObject({ sent: 3, read: 2 });
  });

  it('include messages that were scheduled long before they were sent', async () => {
    const { tenant, put } = await addViewer();
    const [id] = await put({ age: 24 * 60, status: 'scheduled' });
    await setStatus(id!, `scheduled_at = now() - interval '1 day'`);
    await stats.recount(new Date(service().clock.now().getTime() - 24 * 90 * HOUR), service().clock.now());
    await pass(PASSES.all.every);
    await setStatus(id!, `status = 'sent', sent_at = now()`);
    await pass(PASSES.all.every);
    const api = await dashboardApi(service(), 'viewer', { tenantId: tenant.id }); // the last session has ended
    expect(await total(api, 'period=90d')).toMatchObject({ accepted: 1, sent: 1 });
  });

  it('are corrected when a failed message turns out to be delivered', async () => {
    const { api, put } = await addViewer();
    const [id] = await put({ age: 2, status: 'failed', code: 131026 });
    await pass(PASSES.newest.every);
    expect(await total(api)).toMatchObject({ failed: 1, delivered: 0 });
    await setStatus(id!, `status = 'delivered', delivered_at = now(), failed_at = NULL, error = NULL`);
    await pass(PASSES.newest.every);
    expect(await total(api)).toMatchObject({ failed: 0, delivered: 1 });
    expect((await read(api))['costs']).toMatchObject([{ amount: '0.010000' }]);
  });

  it('are made again by a migration, however old, where the marketing cap was counted as an opt-out', async () => {
    const { tenant, api, put } = await addViewer();
    await put({ age: 24 * 60, status: 'failed', code: 131049 });
    await pass(PASSES.all.every);
    await stats.recount(new Date(service().clock.now().getTime() - 24 * 90 * HOUR), service().clock.now());
    await service().database.run(
      { name: '', text: 'UPDATE message_stats SET opted_out = capped, capped = 0 WHERE tenant_id = $1' },
      [tenant.id],
    );
    expect(await total(api, 'period=90d')).toMatchObject({ opted_out: 1, capped: 0 });
    const migration = new MarketingCapStats1763820000021();
    const source = await new DataSource(dataSourceOptions(directUrlOf(service().config), 1)).initialize();
    const runner = source.createQueryRunner();
    await migration.down(runner);
    await migration.up(runner);
    await source.destroy();
    await pass(PASSES.all.every);
    expect(await total(api, 'period=90d')).toMatchObject({ opted_out: 0, capped: 1 });
  });

  it('outlive the messages that they count', async () => {
    const { api, put } = await addViewer();
    const [id] = await put({ age: 5, status: 'read' });
    await stats.recount(new Date(service().clock.now().getTime() - 10 * HOUR), service().clock.now());
    await service().database.run({ name: '', text: `DELETE FROM message_logs WHERE id = ${id}` });
    await stats.recount(new Date(service().clock.now().getTime() - 10 * HOUR), service().clock.now());
    await pass(PASSES.newest.every);
    expect(await total(api)).toMatchObject({ accepted: 1, read: 1 });
    expect((await read(api))['has_messages']).toBe(true);
  });

  it('are counted by one process at a time', async () => {
    await pass(PASSES.all.every);
    await Promise.all([stats.count(), stats.count()]);
    const passes = await service().database.run<{ name: string }>({
      name: '',
      text: 'SELECT name FROM message_stats_passes WHERE counted_at IS NOT NULL ORDER BY name',
    });
    expect(passes).toEqual([{ name: 'all' }, { name: 'newest' }, { name: 'recent' }]);
  });
});

describe('the queue', () => {
  it('tells what waits, since when, and what it waits for', async () => {
    const { tenant, api, put } = await addViewer();
    service().sandbox.control.revokeToken(tenant.wabaId);
    await put({ age: 1, status: 'queued', count: 3 }, { age: -5, status: 'scheduled' });
    const { data } = await eventually(async () => {
      const answer = (await api.get(`${OVERVIEW}/queue`)).body;
      expect(answer.data['holds']).toMatchObject([{ scope: 'business_account', cause: 'auth' }]);
      expect(answer.data).toMatchObject({ waiting: 4, due: 3 });
      return answer;
    });
    expect(data).toMatchObject({ numbers: 1, waiting_is_more: false, sent_last_minute: 0 });
    expect(Date.parse(data['oldest_due_at'])).toBeLessThanOrEqual(service().clock.now().getTime());
  });
});
