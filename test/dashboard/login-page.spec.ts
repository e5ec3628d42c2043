import { describe, expect, it } from '@jest/globals';
import { DashboardUsersService } from '../../src/accounts/dashboard-users.service.js';
import { DEMO } from '../../src/embedded/demo.js';
import { accessibilityFaults, faultsOf, screenshot } from '../support/browser.js';
import { useDashboardPage } from '../support/dashboard-page.js';
import { SECRETS } from '../support/service.js';

const dashboard = useDashboardPage();

describe('a proxy that is not configured', () => {
  const forwarded = { extraHTTPHeaders: { 'X-Forwarded-For': '203.0.113.7' } };

  it('is shown to owners with what to set, until they close the notice', async () => {
    const page = await dashboard.open(forwarded);
    await page.getByText('Set TRUSTED_PROXIES to the number of proxies').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await screenshot(page, 'proxy-notice-1440-light');
    await page.getByRole('status').getByRole('button', { name: 'Close' }).click();
    await page.getByText('Set TRUSTED_PROXIES').waitFor({ state: 'detached' });
    expect(faultsOf(page)).toEqual([]);
  });

  it('is not shown to editors, nor when there is no proxy', async () => {
    const users = dashboard.service().app.get(DashboardUsersService, { strict: false });
    const email = 'editor@example.com';
    await users.create(dashboard.service().tenantId, email, SECRETS.demoPassword, { role: 'editor' });
    for (const options of [{ ...forwarded, email }, {}]) {
      const page = await dashboard.open(options);
      await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
      expect(await page.getByText('TRUSTED_PROXIES').count()).toBe(0);
    }
  });
});

describe('signing in', () => {
  it('begins at the address that "npm start" prints, and leads to the overview', async () => {
    const page = await dashboard.openAsVisitor();
    await page.goto('/dashboard');
    await page.getByLabel('Email').fill(DEMO.email);
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Email or password is wrong.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await screenshot(page, 'login-1440-light');
    await page.getByLabel('Password', { exact: true }).fill(SECRETS.demoPassword);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    expect(faultsOf(page)).toEqual([]);
  });

  it('leads to the page that was asked for, and signing out leads back to the form', async () => {
    const page = await dashboard.openAsVisitor();
    await page.goto('/dashboard/templates?status=REJECTED');
    await page.getByLabel('Email').fill(DEMO.email);
    await page.getByLabel('Password', { exact: true }).fill(SECRETS.demoPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'free_money' }).waitFor();
    expect(page.url()).toBe(`${dashboard.service().url}/dashboard/templates?status=REJECTED`);
    await page.getByRole('button', { name: /demo@example.com|account/i }).click();
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await page.getByLabel('Email').waitFor();
    await page.goto('/dashboard/templates');
    await page.getByLabel('Email').waitFor();
  });
});
