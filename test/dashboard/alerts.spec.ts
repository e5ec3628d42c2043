import { beforeAll, describe, expect, it } from '@jest/globals';
import { type AlertNews, AlertsService } from '../../src/alerts/alerts.service.js';
import type { Api } from '../support/api.js';
import { dashboardApi } from '../support/dashboard-api.js';
import { eventually } from '../support/eventually.js';
import '../support/matchers.js';
import { addTenant } from '../support/tenants.js';
import { useTestService } from '../support/test-service.js';

const ALERTS = '/dashboard/api/alerts';

const service = useTestService();
let editor: Api;
let viewer: Api;
let alerts: AlertsService;
beforeAll(async () => {
  alerts = service().app.get(AlertsService, { strict: false });
  editor = await dashboardApi(service(), 'editor');
  viewer = await dashboardApi(service(), 'viewer');
});

const minutesFromNow = (minutes: number) => new Date(service().clock.now().getTime() + minutes * 60_000);

const news = (changes: Partial<AlertNews>): AlertNews => ({
  kind: 'account_alert',
  severity: 'warning',
  tenantId: service().tenantId,
  businessAccountId: null,
  subject: 'something',
  text: 'Something has happened',
  details: {},
  occurredAt: minutesFromNow(-10),
  ...changes,
});

const open = async (api = viewer) => (await api.get(ALERTS)).body.data as unknown as Record<string, any>[];
const textsOf = async (api = viewer) => (await open(api)).map(({ text }) => text);

describe('An alert', () => {
  it('is shown and counted until an editor dismisses it, the gravest first', async () => {
    await alerts.raise(news({}));
    await alerts.raise(news({ severity: 'error', subject: 'something worse', text: 'Worse' }));
    expect(await open()).toMatchObject([
      { text: 'Worse', severity: 'error', times: 1, kind: 'account_alert', ends_at: null },
      { text: 'Something has happened', severity: 'warning' },
    ]);
    await eventually(async () => {
      const { text } = await service().api.get('/metrics');
      expect(text).toContain('tms_alerts{kind="account_alert",severity="error"} 1');
      expect(text).toMatch(/tms_alerts_total\{kind="account_alert",severity="warning"\} [1-9]/);
    });
    const [{ alert_id: id } = {}] = await open();
    expect(await viewer.post(`${ALERTS}/${id}/dismiss`)).toBeError(403, 'FORBIDDEN');
    expect((await editor.post(`${ALERTS}/${id}/dismiss`)).status).toBe(200);
    expect(await editor.post(`${ALERTS}/${id}/dismiss`)).toBeError(404, 'NOT_FOUND');
    expect(await textsOf()).toEqual(['Something has happened']);
  });

  it('that comes again is counted on the open one; a dismissed one does not come back', async () => {
    const first = news({ subject: 'again', occurredAt: minutesFromNow(-9) });
    expect(await alerts.raise(first)).toBe(true);
    expect(await alerts.raise(first)).toBe(false);
    expect(await alerts.raise({ ...first, text: 'Again', occurredAt: minutesFromNow(-8) })).toBe(true);
    const shown = (await open()).find(({ text }) => text === 'Again');
    expect(shown).toMatchObject({ times: 2 });
    await editor.post(`${ALERTS}/${shown!['alert_id']}/dismiss`);
    expect(await alerts.raise(first)).toBe(false);
    expect(await textsOf()).not.toContain('Again');
    expect(await alerts.raise({ ...first, text: 'Once more', occurredAt: minutesFromNow(-7) })).toBe(true);
    expect(await textsOf()).toContain('Once more');
  });

  it('with an end is gone after it', async () => {
    await alerts.raise(news({ subject: 'ending', text: 'It ends', endsAt: minutesFromNow(5) }));
    expect(await textsOf()).toContain('It ends');
    service().clock.forward(6 * 60_000);
    expect(await textsOf()).not.toContain('It ends');
    await alerts.tidy();
    const [row] = await service().database.run<{ ended_by: string }>({
      name: 'test_ended',
      text: `SELECT ended_by FROM alerts WHERE subject = 'ending'`,
    });
    expect(row).toEqual({ ended_by: 'time' });
  });

  it('of a tenant is for this tenant alone, and one of the whole service is for operators', async () => {
    await alerts.raise(news({ subject: 'ours', text: 'Ours' }));
    await alerts.raise(news({ subject: 'the service', text: 'Of the service', tenantId: null }));
    const other = await addTenant(service());
    const theirs = await dashboardApi(service(), 'owner', { tenantId: other.id });
    expect(await open(theirs)).toEqual([]);
    const operator = await dashboardApi(service(), 'owner', { operator: true });
    const all = await open(operator);
    expect(all.map(({ text }) => text)).toEqual(expect.arrayContaining(['Ours', 'Of the service']));
    for (const { alert_id: id } of all)
      expect(await theirs.post(`${ALERTS}/${id}/dismiss`)).toBeError(404, 'NOT_FOUND');
    expect(await open(operator)).toHaveLength(all.length);
  });
});

describe('What a user has read', () => {
  const unread = async (api: Api) =>
    (await api.get(`${ALERTS}/unread`)).body.data['alert_ids'] as unknown as number[];

  it('is read for that user alone, one by one or all, until it comes anew', async () => {
    await alerts.raise(news({ subject: 'to read', text: 'To read' }));
    await alerts.raise(news({ subject: 'to read too', text: 'To read too' }));
    const id = (await open()).find(({ text }) => text === 'To read')!['alert_id'] as number;
    expect(await unread(viewer)).toContain(id);
    for (let i = 0; i < 2; i++) expect((await viewer.post(`${ALERTS}/${id}/read`)).status).toBe(200);
    expect(await unread(viewer)).not.toContain(id);
    expect(await unread(viewer)).not.toEqual([]);
    expect((await viewer.post(`${ALERTS}/read`)).status).toBe(200);
    expect(await unread(viewer)).toEqual([]);
    expect(await unread(editor)).toContain(id);
    await alerts.end(['account_alert'], 'to read', 'webhook');
    await alerts.raise(news({ subject: 'to read', text: 'To read', occurredAt: minutesFromNow(0) }));
    expect(await unread(viewer)).toHaveLength(1);
  });

  it('is of the own tenant: another one has nothing to read, and marks nothing', async () => {
    const other = await addTenant(service());
    const theirs = await dashboardApi(service(), 'owner', { tenantId: other.id });
    expect(await unread(theirs)).toEqual([]);
    const [id] = await unread(editor);
    expect(await theirs.post(`${ALERTS}/${id}/read`)).toBeError(404, 'NOT_FOUND');
  });

  it('keeps no session alive, as the page asks for it by itself', async () => {
    const idle = await dashboardApi(service(), 'viewer');
    for (let hour = 0; hour < 13; hour++) {
      await idle.get(`${ALERTS}/unread`);
      service().clock.forward(3_600_000);
    }
    expect(await idle.get(`${ALERTS}/unread`)).toBeError(401, 'UNAUTHORIZED');
  });
});
