import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { DashboardUsersService } from '../../src/accounts/dashboard-users.service.js';
import type { Locator, Page } from 'playwright-core';
import { accessibilityFaults, faultsOf, screenshot } from '../support/browser.js';
import { useDashboardPage } from '../support/dashboard-page.js';
import { eventually } from '../support/eventually.js';
import { SECRETS } from '../support/service.js';

const HOUR = 3_600_000;
const PHONE = { width: 360, height: 740 };

const dashboard = useDashboardPage({ receiptDelay: 300 });

async function send(phone: string, changes: Record<string, unknown> = {}): Promise<number> {
  const answer = await dashboard.service().api.send(phone, changes);
  expect(answer).toMatchObject({ status: 202 });
  return answer.body.data['message_log_id'] as number;
}

const later = () => ({
  scheduled_at: new Date(dashboard.service().clock.now().getTime() + 5 * HOUR).toISOString(),
  timezone: 'Asia/Dubai',
});

const rowOf = (page: Page, phone: string): Locator =>
  page.getByRole('row').filter({ has: page.getByText(phone, { exact: true }) });

async function expectSound(page: Page): Promise<void> {
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(faultsOf(page)).toEqual([]);
}

describe('The sent page', () => {
  it('is empty at first, and shows a new message and its way to "read" without a reload', async () => {
    const page = await dashboard.open({ path: '/messages' });
    await page.getByText('Nothing has been sent yet').waitFor();
    await screenshot(page, 'messages-empty');
    await send('+12025550100');
    const row = rowOf(page, '+12025550100');
    await row.waitFor();
    await row.getByText('Read', { exact: true }).waitFor();
    await row.getByRole('link').click();
    const drawer = page.getByRole('dialog');
    await drawer.getByText('Taken by the provider').waitFor();
    for (const text of ['Delivered to the phone', 'Hello Amal', 'Charged']) {
      await drawer.getByText(text).first().waitFor();
    }
    await screenshot(page, 'messages-drawer');
    await expectSound(page);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/dashboard/messages');
  });

  it('explains a reached marketing cap, and links the retry with its original', async () => {
    const page = await dashboard.open({ path: '/messages?retry=retries' });
    await page.getByText('No message fits these filters').waitFor();
    const original = await send('+12025550112', { auto_retry_on_frequency_cap: true });
    const row = rowOf(page, '+12025550112');
    await row.getByText('Retry', { exact: true }).waitFor();
    await row.getByText('Scheduled', { exact: true }).waitFor();
    await row.getByRole('link').click();
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('link', { name: `Message ${original}` }).click();
    await drawer.getByText('The recipient has had enough marketing messages for now').waitFor();
    await drawer.getByText('What you can do').waitFor();
    await drawer.getByText('Refunded').waitFor();
    await drawer.getByText('is sent once more').waitFor();
    await screenshot(page, 'messages-retry-chain');
    await expectSound(page);
  });

  it('cancels a scheduled message after a question, and offers that to editors alone', async () => {
    const id = await send('+12025550100', later());
    const page = await dashboard.open({ path: `/messages/${id}` });
    const drawer = page.getByRole('dialog', { name: `Message ${id}` });
    await drawer.getByRole('button', { name: 'Cancel message' }).click();
    const question = page.getByRole('dialog', { name: 'Cancel this message?' });
    await screenshot(page, 'messages-cancel');
    await question.getByRole('button', { name: 'Cancel the message' }).click();
    await drawer.getByText('Canceled', { exact: true }).first().waitFor();
    await drawer.getByText('Refunded').waitFor();
    expect(await dashboard.service().api.message(id)).toMatchObject({ status: 'canceled' });

    const waiting = await send('+12025550100', later());
    const users = dashboard.service().app.get(DashboardUsersService, { strict: false });
    const email = 'guest@example.com';
    await users.create(dashboard.service().tenantId, email, SECRETS.demoPassword, { role: 'viewer' });
    const guest = await dashboard.open({ path: `/messages/${waiting}`, email });
    await guest.getByRole('dialog').getByText('As the recipient sees it').waitFor();
    expect(await guest.getByRole('button', { name: 'Cancel message' }).count()).toBe(0);
  });

  it('keeps its filters over a reload, and exports what they show', async () => {
    await Promise.all(Array.from({ length: 5 }, (_, n) => send(`+1202555017${n}`, later())));
    await send('+12025550110');
    const page = await dashboard.open({ path: '/messages' });
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'Failed' }).click();
    await page.getByRole('option', { name: 'Scheduled' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Time' }).click();
    await page.getByRole('option', { name: 'Last 7 days' }).click();
    await rowOf(page, '+12025550170').waitFor();
    expect(await page.getByRole('row').filter({ hasText: 'Read' }).count()).toBe(0);
    await page.reload();
    await rowOf(page, '+12025550170').waitFor();
    expect(new URL(page.url()).searchParams.getAll('status')).toEqual(['failed', 'scheduled']);
    expect(await page.getByRole('row').filter({ hasText: 'Canceled' }).count()).toBe(0);
    const rows = (await page.getByRole('row').count()) - 1;
    await screenshot(page, 'messages-filtered');
    await expectSound(page);

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^messages-.*\.csv$/);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    expect(lines).toHaveLength(rows + 1);
    await page.getByText(`${rows} rows exported.`).waitFor();
    await page.getByRole('button', { name: 'Clear all' }).click();
    await eventually(() => expect(page.url()).toMatch(/\/messages$/));
  });

  it('searches by phone, says when the phone is wrong, and keeps older pages still while messages arrive', async () => {
    await Promise.all(
      Array.from({ length: 51 }, (_, n) => send(`+120255530${String(n).padStart(2, '0')}`, later())),
    );
    const page = await dashboard.open({ path: '/messages?status=scheduled' });
    await page.getByRole('button', { name: 'Older' }).click();
    await page.getByText('Older page').waitFor();
    const oldest = () => page.getByRole('row').last().getByRole('link').textContent();
    const last = await oldest();
    await send('+12025550199', later());
    await page.getByRole('button', { name: 'Newer' }).click();
    await rowOf(page, '+12025550199').waitFor();
    await page.getByRole('button', { name: 'Older' }).click();
    await eventually(async () => expect(await oldest()).toBe(last));

    const search = page.getByRole('textbox', { name: 'Recipient' });
    await search.fill('+1 20');
    await page.getByText('not a possible international number').waitFor();
    await search.fill('+1 202 555 0199');
    await rowOf(page, '+12025550199').waitFor();
    await eventually(async () => expect(await page.getByRole('row').count()).toBe(2));
    expect(await search.inputValue()).toBe('+1 202 555 0199');
  });

  it('shows cards on a phone, also in the dark', async () => {
    const page = await dashboard.open({
      path: '/messages',
      viewport: PHONE,
      colorScheme: 'dark',
    });
    const cards = page.getByRole('list', { name: 'Sent messages' }).getByRole('listitem');
    await cards.first().waitFor();
    expect(await page.getByRole('row').count()).toBe(0);
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('combobox', { name: 'Template' }).waitFor();
    await screenshot(page, 'messages-360-dark');
    await expectSound(page);
    await cards.first().getByRole('link').click();
    await page.getByRole('dialog').getByText('What happened').waitFor();
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(overflow)).toBe(0);
    await screenshot(page, 'messages-360-dark-drawer');
    await expectSound(page);
  });
});
