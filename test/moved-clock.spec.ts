import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { MovableClock } from '../src/common/clock.js';
import { accessibilityFaults, faultsOf, screenshot } from './support/browser.js';
import { useDashboardPage } from './support/dashboard-page.js';
import { eventually } from './support/eventually.js';

/* A sandbox whose clock is that of its service, as `npm start` has it. */

const HOUR = 3_600_000;

const clock = new MovableClock();
const dashboard = useDashboardPage({ clock }, clock);
const api = () => dashboard.service().api;

async function openClock(): Promise<Page> {
  const page = await dashboard.openAsVisitor({ baseURL: dashboard.service().config.PROVIDER_BASE_URL });
  await page.goto('/clock');
  return page;
}

async function send(phone: string, fields: Record<string, unknown> = {}): Promise<number> {
  const { status, body } = await api().send(phone, fields);
  expect(status).toBe(202);
  return body.data['message_log_id'];
}

const untilStatus = (id: number, status: string) =>
  eventually(async () => {
    const message = await api().message(id);
    expect(message['status']).toBe(status);
    return message;
  });

const inFuture = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds).toISOString();

const due = (hours: number) => ({ scheduled_at: inFuture(hours * HOUR).slice(0, 19), timezone: 'UTC' });

it('A moved clock brings what is scheduled and the retry after 26 hours at once, and signs nobody out', async () => {
  const capped = await send('+971501230113', { auto_retry_on_frequency_cap: true });
  const later = await send('+12025550100', due(25));
  await untilStatus(capped, 'failed');
  const overview = await dashboard.open();
  await overview.getByRole('heading', { name: 'Overview' }).waitFor();
  const page = await openClock();
  await page.getByText('the real time').first().waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('button', { name: '+26 h' }).click();
  await page.getByText('The clock is 1 d 2 h ahead').waitFor();
  await untilStatus(later, 'read');
  const retry = await eventually(async () => {
    const list = (await api().get('/api/v1/messages?phone=971501230113')).body.data as unknown as any[];
    expect(list.map(({ status }) => status)).toEqual(['failed', 'failed']);
    return list[0];
  });
  expect(retry).toMatchObject({ retry_of: capped, attempts: 1 });
  await screenshot(page, 'sandbox-clock');
  expect(await accessibilityFaults(page)).toEqual([]);

  await overview.reload();
  await overview.getByText('The clock of the sandbox is 1 d 2 h ahead').waitFor();
  await overview.getByRole('heading', { name: 'Overview' }).waitFor();
  await screenshot(overview, 'clock-notice');
  expect(await accessibilityFaults(overview)).toEqual([]);
  await overview.goto(`${dashboard.service().url}/dashboard/messages/${later}`);
  await overview.getByText('What happened').waitFor();
  expect(await overview.getByText(/in 1 day|in 2 days/).count()).toBe(0);
  expect([faultsOf(page), faultsOf(overview)]).toEqual([[], []]);
});

it('A moved clock ends what is valid until a time, and what is kept for days', async () => {
  const page = await openClock();
  const data = { name: 'parcel_tracking' };
  const button = { type: 'button', sub_type: 'url', index: 0, parameters: [{ type: 'text', text: 'A1' }] };
  const body = { type: 'body', parameters: [{ type: 'text', text: 'A1' }] };
  const wanted = await send('+12025550140', {
    data: { ...data, components: [body, button] },
    ...due(2),
    valid_until: inFuture(3 * HOUR),
  });
  await page.getByRole('textbox', { name: 'How far' }).fill('4h');
  await page.getByRole('button', { name: 'Move' }).click();
  const expired = await untilStatus(wanted, 'failed');
  expect(expired['error']).toMatchObject({ code: 'EXPIRED' });

  await page.getByRole('button', { name: '+401 d' }).click();
  await eventually(async () => {
    expect((await api().get(`/api/v1/messages/${wanted}`)).status).toBe(404);
  });
  const { status } = await api().send('+12025550100');
  expect(status).toBe(202);
});

it('A wrong move is refused in plain words', async () => {
  const page = await openClock();
  const ahead = clock.ahead;
  const said: string[] = [];
  page.on('dialog', async (dialog) => {
    said.push(dialog.message());
    await dialog.accept();
  });
  for (const wrong of ['yesterday', '99999d']) {
    await page.getByRole('textbox', { name: 'How far' }).fill(wrong);
    await page.getByRole('button', { name: 'Move' }).click();
    await eventually(() => expect(said).toHaveLength(wrong === 'yesterday' ? 1 : 2));
  }
  expect(said).toEqual([
    'forward must be a time such as 30s, 10min, 26h or 7d.',
    'The clock can be ten years ahead at most.',
  ]);
  expect(clock.ahead).toBe(ahead);
});
