import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { DashboardUsersService } from '../../src/accounts/dashboard-users.service.js';
import { Api } from '../support/api.js';
import { accessibilityFaults, faultsOf, screenshot } from '../support/browser.js';
import { useDashboardPage } from '../support/dashboard-page.js';
import { EventReceiver } from '../support/event-receiver.js';
import { SECRETS } from '../support/service.js';

const HOUR = 3_600_000;
const NARROW = { viewport: { width: 360, height: 800 } };
const HEADER = 'Market,Currency,Marketing,Utility,Authentication,Authentication-International';

const dashboard = useDashboardPage();

const open = (path: string, options = {}): Promise<Page> => dashboard.open({ path, ...options });

/** Checks a page on a large screen and on a phone, light and dark. */
async function inspect(page: Page, name: string): Promise<void> {
  await screenshot(page, `${name}-1440-light`);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize(NARROW.viewport);
  await screenshot(page, `${name}-360-dark`);
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  expect(faultsOf(page)).toEqual([]);
}

describe('an API key', () => {
  it('is created, shown once, used over the API, and revoked', async () => {
    const page = await open('/settings/api-keys');
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Web shop');
    await dialog.getByRole('checkbox', { name: 'Read templates' }).uncheck();
    await dialog.getByRole('button', { name: 'New key' }).click();
    const text = await dialog.getByText(/^tms_/).textContent();
    await screenshot(page, 'api-key-shown-1440-light');
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'I have copied it' }).click();
    expect(await page.getByText(text as string).count()).toBe(0);
    const program = new Api(dashboard.service().url, text);
    expect((await program.send('+12025550100')).status).toBe(202);
    expect((await program.get('/api/v1/templates?messaging_account_id=x')).status).toBe(403);
    const row = page.getByRole('row', { name: /Web shop/ });
    await row.getByText('Active').waitFor();
    await row.getByText('Send messages, Read messages, Read events, Change settings').waitFor();
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await row.getByText('Revoked').waitFor();
    expect((await program.send('+12025550100')).status).toBe(401);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await inspect(page, 'api-keys');
  });
});

describe('A spending limit', () => {
  it('is set for a number, changed, reached and removed', async () => {
    const page = await open('/settings/spend-limits');
    await page.getByText('No limits').waitFor();
    await page.getByRole('button', { name: 'New limit' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'For' }).click();
    await page.getByRole('option', { name: 'Number Demo shop sales' }).click();
    await dialog.getByRole('textbox', { name: 'Limit in USD' }).fill('lots');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Give an amount, such as 100 or 99.95.').waitFor();
    await dialog.getByRole('textbox', { name: 'Limit in USD' }).fill('250000000000');
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    const row = page.getByRole('row', { name: /Number Demo shop sales/ });
    await row.getByText('In force').waitFor();
    await row.getByRole('button', { name: 'Change' }).click();
    await dialog.getByRole('textbox', { name: 'Limit in USD' }).fill('0');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row.getByText('Reached').waitFor();
    const { status, body } = await dashboard.service().api.send('+12025550100');
    expect([status, body.error.code]).toEqual([422, 'SPEND_LIMIT_REACHED']);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await inspect(page, 'spend-limits');
    await row.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No limits').waitFor();
    expect((await dashboard.service().api.send('+12025550100')).status).toBe(202);
  });
});

describe('A webhook endpoint', () => {
  it('is added with its secret shown once, tested, looked at, disabled and deleted', async () => {
    const receiver = await EventReceiver.start();
    const page = await open('/settings/webhook-endpoints');
    await page.getByText('No endpoints yet').waitFor();
    await page.getByRole('button', { name: 'New endpoint' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Address' }).fill('https://10.0.0.1/');
    await dialog.getByRole('button', { name: 'New endpoint' }).click();
    await dialog.getByText('must lead to a public address').waitFor();
    await dialog.getByRole('textbox', { name: 'Address' }).fill(receiver.url);
    await dialog.getByRole('textbox', { name: 'Note' }).fill('Order system');
    await dialog.getByRole('button', { name: 'New endpoint' }).click();
    const secret = await dialog.getByText(/^whsec_/).textContent();
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'I have copied it' }).click();
    expect(await page.getByText(secret as string).count()).toBe(0);
    const row = page.getByRole('row', { name: /Order system/ });
    const act = async (name: string) => {
      await row.getByRole('button', { name: /What to do with/ }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await act('Post a test event');
    await page.getByText('The endpoint has taken the test event').waitFor();
    expect(receiver.requests).toHaveLength(1);
    await new Api(dashboard.service().url, SECRETS.demoApiKey).send('+12025550177');
    await row.getByText('Working').waitFor();
    await act('Last requests');
    await page.getByRole('dialog').getByText('Taken').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await act('Disable');
    await row.getByText('Disabled').waitFor();
    await inspect(page, 'webhook-endpoints');
    await page.setViewportSize({ width: 1440, height: 900 });
    await act('Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No endpoints yet').waitFor();
    await receiver.stop();
  });
});

describe('users', () => {
  it('are added and promoted, and the last owner remains an owner', async () => {
    const page = await open('/settings/users');
    await page.getByRole('button', { name: 'New user' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Email' }).fill('demo@example.com');
    await dialog.getByLabel('Initial password').fill('short');
    await dialog.getByRole('button', { name: 'New user' }).click();
    await dialog.getByText('At least 10 characters.').waitFor();
    await dialog.getByLabel('Initial password').fill('correct horse battery');
    await dialog.getByRole('button', { name: 'New user' }).click();
    await dialog.getByText('There is a user with this email already').waitFor();
    await dialog.getByRole('textbox', { name: 'Email' }).fill('mate@example.com');
    await screenshot(page, 'new-user-1440-light');
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'New user' }).click();
    await page.getByRole('row', { name: /mate@example.com/ }).waitFor();
    await page.getByRole('combobox', { name: 'Role of demo@example.com' }).click();
    await page.getByRole('option', { name: /Viewer/ }).click();
    await page.getByRole('button', { name: 'Change my role' }).click();
    await page.getByText('This is the last owner').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await inspect(page, 'users');
  });

  it('who are viewers see no button for what they may not do', async () => {
    const users = dashboard.service().app.get(DashboardUsersService, { strict: false });
    const email = 'looker@example.com';
    await users.create(dashboard.service().tenantId, email, SECRETS.demoPassword, { role: 'viewer' });
    const page = await open('/settings/users', { email });
    for (const path of ['users', 'api-keys', 'audit-log']) {
      await page.goto(`/dashboard/settings/${path}`);
      await page.getByText('This page is not for your role').waitFor();
    }
    await page.goto('/dashboard/send');
    await page.getByText('This page is not for your role').waitFor();
    await page.goto('/dashboard/settings/rate-card');
    await page.getByRole('row', { name: /Argentina/ }).waitFor();
    expect(await page.getByRole('button', { name: 'Load a rate card' }).count()).toBe(0);
    expect(faultsOf(page)).toEqual([]);
  });
});

describe('the rate card', () => {
  it('is compared line by line with the file that an operator uploads, and then replaced', async () => {
    const page = await open('/settings/rate-card');
    await page.getByRole('row', { name: /Argentina/ }).waitFor();
    await screenshot(page, 'rate-card-1440-light');
    await page.getByRole('button', { name: 'Load a rate card' }).click();
    const give = (csv: string) =>
      page
        .locator('input[type=file]')
        .setInputFiles({ name: 'card.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await give(`${HEADER}\nArgentina,USD,much,0.03,0.03,n/a`);
    await page.getByText('MARKETING of Argentina is no amount').waitFor();
    await screenshot(page, 'rate-card-faults-1440-light');
    await give(`${HEADER}\nArgentina,USD,0.09,0.01,0.03,n/a\nAtlantis,USD,1,1,1,n/a`);
    await page.getByRole('region', { name: 'Changed rates' }).getByText('+50.0 %').waitFor();
    await page.getByRole('region', { name: 'New rates' }).getByText('Atlantis').first().waitFor();
    await inspect(page, 'rate-card-diff');
    await page.getByText('At a time').click();
    const year = dashboard.service().clock.now().getUTCFullYear() + 1;
    await page.getByLabel('Date and time').fill(`${year}-01-01T00:00`);
    await page.getByRole('button', { name: 'Load this card' }).click();
    await page.getByRole('combobox', { name: 'Card' }).waitFor();
    expect(await page.getByRole('combobox', { name: 'Card' }).inputValue()).toContain('In force');
    expect(faultsOf(page)).toEqual([]);
  });
});

describe('the audit log', () => {
  it('says in plain words what was done, and can be filtered', async () => {
    const page = await open('/settings/audit-log');
    await page.getByRole('row', { name: /Made an API key/ }).waitFor();
    await page.getByRole('combobox', { name: 'What' }).click();
    await page.getByRole('option', { name: 'Loaded a rate card' }).click();
    await page.getByRole('row', { name: /Made an API key/ }).waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /Loaded a rate card/ }).waitFor();
    expect(page.url()).toContain('?action=rate_card.loaded');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('row', { name: /Made an API key/ }).waitFor();
    await inspect(page, 'audit-log');
  });
});

describe('a session that ends', () => {
  it('asks for a new sign-in, and what was typed is kept and sent', async () => {
    const page = await open('/settings/password');
    await page.getByLabel('Present password').fill(SECRETS.demoPassword);
    await page.getByLabel('New password', { exact: true }).fill('correct horse battery staple');
    await page.getByLabel('New password again').fill('correct horse battery staple');
    await inspect(page, 'password');
    dashboard.service().clock.forward(13 * HOUR);
    await page.getByRole('button', { name: 'Change password' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Password', { exact: true }).fill(SECRETS.demoPassword);
    await screenshot(page, 'session-gone-360-dark');
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Your password was changed.').waitFor();
    expect(faultsOf(page)).toEqual([]);
  });
});
