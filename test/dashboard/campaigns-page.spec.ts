import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { AccountsService } from '../../src/accounts/accounts.service.js';
import { TenantBoundsService } from '../../src/dashboard/bounds/tenant-bounds.service.js';
import { TemplateStore } from '../../src/templates/template.store.js';
import { accessibilityFaults, faultsOf, screenshot } from '../support/browser.js';
import { useDashboardPage } from '../support/dashboard-page.js';
import { CampaignsApi, FAST_NUMBER, phoneOf, recipientsCsv } from '../support/campaigns.js';
import { dashboardApi } from '../support/dashboard-api.js';

const BAD = {
  9: 'not a phone,Amal,A-1',
  19: ',Amal,A-2',
  29: '+1,Amal,A-3',
  39: `${phoneOf(2_000)},,A-4`,
  49: `${phoneOf(2_001)},Amal,`,
  59: `${phoneOf(0)},Amal,A-6`,
  69: `${phoneOf(1)},Amal,A-7`,
  79: '0014151000502,Amal,A-8',
  89: '+4915112345678901234567,Amal,A-9',
  99: '++49,Amal,A-10',
};
const csv = (text: string) => ({ name: 'customers.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });

const dashboard = useDashboardPage({ limits: false });

const step = (page: Page, name: string) => page.getByText(new RegExp(`^Step \\d of 5: ${name}$`)).waitFor();
const next = (page: Page) => page.getByRole('button', { name: 'Next', exact: true }).click();
const expectSound = async (page: Page) => {
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(faultsOf(page)).toEqual([]);
};
const expectToFit = async (page: Page, width: number) =>
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
async function chooseMessage(page: Page): Promise<void> {
  await page.getByLabel('Name of the campaign').fill('Orders of today');
  await page.getByRole('combobox', { name: 'Send from' }).click();
  await page.getByRole('option', { name: /Demo shop care/ }).click();
  await page.getByRole('combobox', { name: 'Template' }).fill('order_update');
  await page.getByRole('option', { name: 'order_update · en_US' }).click();
  await page.getByRole('group', { name: 'Preview of the message' }).waitFor();
}

describe('A campaign in the dashboard', () => {
  it('goes from a file of 1,000 rows, ten of them bad, to its end, and survives a reload meanwhile', async () => {
    const page = await dashboard.open({ path: '/campaigns', colorScheme: 'light' });
    await page.getByText('No campaigns yet').waitFor();
    await page.getByRole('link', { name: 'New campaign' }).first().click();
    await step(page, 'Message');
    await chooseMessage(page);
    await expectSound(page);
    await screenshot(page, 'campaign-1-message');
    await next(page);

    await step(page, 'Recipients');
    await page.locator('input[type=file]').setInputFiles(csv('phone,name\n+1,"Amal'));
    await page.getByText(/^Line \d: A quote is opened/).waitFor();
    await expectSound(page);
    await screenshot(page, 'campaign-2-file');
    const guess = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
    await page.locator('input[type=file]').setInputFiles(csv(recipientsCsv(1_000, BAD)));

    await step(page, 'Columns');
    await page.getByText('Hello Amal 0').waitFor();
    await guess;
    await page.reload();
    await step(page, 'Check'); // the guessed mapping was saved, so the next step is the check
    await page.getByRole('button', { name: 'Columns' }).click();
    await step(page, 'Columns');
    await page.getByRole('button', { name: 'Next row' }).click();
    await page.getByText('Amal 1', { exact: false }).first().waitFor();
    await expectSound(page);
    await screenshot(page, 'campaign-3-columns');
    await next(page);

    await step(page, 'Check');
    await page.getByText('990 recipients can be sent to, 10 rows have a fault.').waitFor();
    await page.getByRole('row', { name: /^61 phone .* Row 2 has the same phone number/ }).waitFor();
    expect(await page.getByRole('row').count()).toBe(11);
    expect(await page.getByRole('button', { name: 'Next', exact: true }).isDisabled()).toBe(true);
    await expectSound(page);
    await screenshot(page, 'campaign-4-check');
    await page.getByLabel('Leave out 10 faulty rows and send to the others').check();
    await next(page);

    await step(page, 'Send');
    await page.getByText('Total cost').waitFor();
    await expectSound(page);
    await screenshot(page, 'campaign-5-send');
    await page.getByRole('button', { name: 'Send to 990 recipients' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();

    await page.getByRole('heading', { name: 'Progress' }).waitFor();
    await screenshot(page, 'campaign-6-running');
    await page.getByText('Finished').first().waitFor();
    await page.getByText('100% sent').waitFor();
    await expectSound(page);
    await screenshot(page, 'campaign-7-finished');
    const [row] = await dashboard.service().database.run<{ count: number }>({
      name: 'test_count',
      text: 'SELECT count(*) AS count FROM message_logs WHERE campaign_id IS NOT NULL',
    });
    expect(row?.count).toBe(990);
  });

  it('is scheduled, paused, resumed and canceled after a question, on a phone and in the dark', async () => {
    const campaigns = new CampaignsApi(await dashboardApi(dashboard.service(), 'editor'));
    const id = await campaigns.ready(recipientsCsv(30));
    const page = await dashboard.open({
      path: `/campaigns/${id}`,
      viewport: { width: 360, height: 780 },
      colorScheme: 'dark',
    });
    await step(page, 'Check');
    await expectToFit(page, 360);
    await screenshot(page, 'campaign-check-narrow');
    await next(page);
    await page.getByLabel('At a time').check();
    await page.getByLabel('Date and time').fill('2020-01-01T10:00');
    await page.getByRole('button', { name: 'Schedule for 30 recipients' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Schedule' }).click();
    await page.getByText('This time has passed.').waitFor();
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);
    await page.getByLabel('Date and time').fill(tomorrow);
    await expectSound(page);
    await expectToFit(page, 360);
    await screenshot(page, 'campaign-send-narrow');
    await page.getByRole('button', { name: 'Schedule for 30 recipients' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Schedule' }).click();

    await page.getByText('Scheduled', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await expectSound(page);
    await expectToFit(page, 360);
    await screenshot(page, 'campaign-scheduled-narrow');
    await page.getByRole('button', { name: 'Cancel campaign' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel campaign' }).click();
    await page.getByText('Canceled', { exact: true }).first().waitFor();
    await page.goto('/dashboard/campaigns');
    await page.getByRole('link', { name: 'Orders', exact: true }).waitFor();
    await expectSound(page);
    await expectToFit(page, 360);
    await screenshot(page, 'campaigns-narrow');
  });

  it('is warned of the limit before its start, and shows the new price when its template’s category changes', async () => {
    const run = (text: string, values: unknown[] = []) =>
      dashboard.service().database.run({ name: '', text }, values);
    // Later than any sync that runs meanwhile.
    await run(
      `UPDATE messaging_accounts SET messaging_limit = 'TIER_250', messaging_limit_at = 'infinity',
         messages_per_second = 1`,
    );
    const campaigns = new CampaignsApi(await dashboardApi(dashboard.service(), 'editor'));
    const id = await campaigns.ready(recipientsCsv(300));
    const page = await dashboard.open({ path: `/campaigns/${id}` });
    await step(page, 'Check');
    await next(page);
    await page.getByText('Before you start').waitFor();
    await page.getByText(/send to 250 people in 24 hours.* about \d+ hours\.$/).waitFor();
    await expectSound(page);
    await screenshot(page, 'campaign-warnings');
    await page.getByRole('button', { name: 'Send to 300 recipients' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: 'Progress' }).waitFor();

    const store = dashboard.service().app.get(TemplateStore, { strict: false });
    const account = (await dashboard
      .service()
      .app.get(AccountsService, { strict: false })
      .findByApiId(FAST_NUMBER))!;
    const name = { providerTemplateId: '', name: 'order_update', language: 'en_US' };
    const template = (await store.find(account.businessAccountId, name))!;
    await store.setCategory(account.businessAccountId, template.id, 'MARKETING');
    await page.getByText('for marketing now, no longer for utility').waitFor();
    await page.getByText(/^Going on costs \$[\d.]+ for the \d+ recipients that are left/).waitFor();
    await expectSound(page);
    await screenshot(page, 'campaign-recategorised');
    await campaigns.act(id, 'cancel');
    await store.setCategory(account.businessAccountId, template.id, 'UTILITY');
    await run(
      'UPDATE messaging_accounts SET messaging_limit = NULL, messaging_limit_at = NULL, messages_per_second = 1000',
    );
  });

  it('says what to do while the team has too much under way at once', async () => {
    const { app, tenantId } = dashboard.service();
    const bounds = app.get(TenantBoundsService, { strict: false });
    const campaigns = new CampaignsApi(await dashboardApi(dashboard.service(), 'editor'));
    const id = await campaigns.ready(recipientsCsv(20, { 5: 'nobody,Amal,A-5' }));
    const page = await dashboard.open({ path: `/campaigns/${id}` });
    await step(page, 'Check');

    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const kinds = { uploads: 4, exports: 2, checks: 3 } as const;
    const others = Object.entries(kinds).flatMap(([kind, count]) =>
      Array.from({ length: count }, () => bounds.run(kind as keyof typeof kinds, tenantId, () => ended)),
    );
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByText('Your team is checking 3 campaigns already: wait').waitFor();
    await page.getByRole('button', { name: 'Download the faulty rows' }).click();
    await page.getByText('Your team is exporting 2 files already: wait').waitFor();
    await screenshot(page, 'campaign-busy');
    await page.getByRole('button', { name: 'Upload a corrected list' }).click();
    await step(page, 'Recipients');
    await page.locator('input[type=file]').setInputFiles(csv(recipientsCsv(20)));
    await page.getByText('Your team is uploading 4 files already: wait').waitFor();
    await expectSound(page);
    end();
    await Promise.all(others);
    await page.locator('input[type=file]').setInputFiles(csv(recipientsCsv(20)));
    await step(page, 'Columns');
    await next(page);
    await page.getByText('20 recipients can be sent to. No row has a fault.').waitFor();
  });

  it('offers its faulty rows as a file', async () => {
    const campaigns = new CampaignsApi(await dashboardApi(dashboard.service(), 'editor'));
    const id = await campaigns.ready(recipientsCsv(20, { 5: 'nobody,Amal,A-5' }));
    const page = await dashboard.open({ path: `/campaigns/${id}` });
    await step(page, 'Check');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the faulty rows' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`campaign-${id}-faults.csv`);
    expect((await readFile(await download.path(), 'utf8')).trim().split('\r\n')).toHaveLength(2);
    await page.getByText('1 row exported.').waitFor();
  });

  it('can be seen but not changed by viewers', async () => {
    const campaigns = new CampaignsApi(await dashboardApi(dashboard.service(), 'editor'));
    const id = await campaigns.ready(recipientsCsv(3), { messaging_account_id: FAST_NUMBER });
    const at = new Date(dashboard.service().clock.now().getTime() + 3_600_000).toISOString();
    await campaigns.start(id, { scheduled_at: at, timezone: 'UTC' });
    const viewer = await dashboardApi(dashboard.service(), 'viewer');
    const [name, value] = (viewer.headers['Cookie'] ?? '').split('=') as [string, string];
    const page = await dashboard.openAsVisitor({ colorScheme: 'dark' });
    await page.context().addCookies([{ name, value, url: `${dashboard.service().url}/dashboard` }]);
    await page.goto(`/dashboard/campaigns/${id}`);
    await page.getByRole('heading', { name: 'Progress' }).waitFor();
    expect(await page.getByRole('button', { name: /Pause|Cancel campaign/ }).count()).toBe(0);
    await expectSound(page);
    await screenshot(page, 'campaign-viewer-dark');
  });
});
