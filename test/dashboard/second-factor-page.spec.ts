import { describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { decodeQR } from 'qr/decode.js';
import { dashboardApi } from '../support/dashboard-api.js';
import { accessibilityFaults, faultsOf, screenshot } from '../support/browser.js';
import { useDashboardPage } from '../support/dashboard-page.js';
import { CodeApp, turnOn } from '../support/second-factor.js';
import { SECRETS } from '../support/service.js';

const PHONE = { width: 360, height: 800 };
const PATH = '/settings/second-factor';

const dashboard = useDashboardPage();

/** Reads a QR code as a phone's camera does. */
async function scan(code: Locator): Promise<string> {
  const size = Number((await code.getAttribute('viewBox'))?.split(' ')[2]);
  const modules = (await code.locator('path').getAttribute('d')) ?? '';
  const zoom = 8;
  const width = size * zoom;
  const data = new Uint8Array(width * width * 4).fill(255);
  for (const [, x, y] of modules.matchAll(/M(\d+) (\d+)/g))
    for (let row = 0; row < zoom; row += 1) {
      const start = ((Number(y) * zoom + row) * width + Number(x) * zoom) * 4;
      for (let i = 0; i < zoom * 4; i += 1) data[start + i] = i % 4 === 3 ? 255 : 0;
    }
  return decodeQR({ width, height: width, data });
}

/** Checks a page on a large screen and, in the dark, on a phone. */
async function inspect(page: Page, name: string): Promise<void> {
  await screenshot(page, `${name}-1440-light`);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize(PHONE);
  await screenshot(page, `${name}-360-dark`);
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height: 900 });
  expect(faultsOf(page)).toEqual([]);
}

/** Adds a user who has not turned on two-step sign-in. */
async function newUser(role: 'owner' | 'viewer' = 'owner') {
  const api = await dashboardApi(dashboard.service(), role);
  const { email } = (await api.get('/dashboard/api/session')).body.data['user'];
  return { api, email: email as string };
}

describe('two-step sign-in', () => {
  it('is set up with an app, asks for its code at the next sign-in, and loads nothing from elsewhere', async () => {
    const { email } = await newUser('viewer');
    const page = await dashboard.open({ email });
    const hosts = new Set<string>();
    page.on('request', (request) => hosts.add(new URL(request.url()).origin));
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Two-step sign-in' }).click();
    await page.getByLabel('Present password').fill('not the password');
    await page.getByRole('button', { name: 'Set up' }).click();
    await page.getByText('This is not your present password.').waitFor();
    await inspect(page, 'second-factor-password');
    await page.getByLabel('Present password').fill(SECRETS.demoPassword);
    await page.getByRole('button', { name: 'Set up' }).click();

    const secret = (await page.getByText(/^[A-Z2-7]{32}$/).textContent()) as string;
    expect(await scan(page.getByRole('img', { name: /^QR code/ }))).toMatch(
      new RegExp(`^otpauth://totp/.*secret=${secret}`),
    );
    await inspect(page, 'second-factor-app');
    const app = new CodeApp(dashboard.service(), secret);
    await page.getByLabel('Code', { exact: true }).fill('000000');
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('This is not the present code of the app').waitFor();
    await page.getByLabel('Code', { exact: true }).fill(app.next());
    await page.getByRole('button', { name: 'Turn on' }).click();
    const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
    await codes.first().waitFor();
    expect(await codes.count()).toBe(10);
    await inspect(page, 'second-factor-recovery-codes');
    await page.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByText('10 recovery codes are left.').waitFor();
    await inspect(page, 'second-factor-on');

    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(SECRETS.demoPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Code', { exact: true }).waitFor();
    await page.keyboard.type('000000'); // the field has the focus
    await page.keyboard.press('Enter');
    await page.getByText('This is not the present code, or it was used already.').waitFor();
    await inspect(page, 'login-code');
    await page.getByLabel('Code', { exact: true }).fill(app.next());
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    expect([...hosts]).toEqual([dashboard.service().url]);
  });

  it('gets new recovery codes, and is turned off, with password and code', async () => {
    const { api } = await newUser();
    const cookie = api.headers['Cookie'] as string;
    const { app } = await turnOn(dashboard.service(), api);
    const page = await dashboard.openAsVisitor();
    const [name, value] = cookie.split('=') as [string, string];
    await page.context().addCookies([{ name, value, url: `${dashboard.service().url}/dashboard` }]);
    await page.goto(`/dashboard${PATH}`);
    const prove = async (code: string, button: string) => {
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Present password').fill(SECRETS.demoPassword);
      await dialog.getByLabel('Code', { exact: true }).fill(code);
      await dialog.getByRole('button', { name: button }).click();
    };
    await page.getByRole('button', { name: 'New recovery codes' }).click();
    await prove('000000', 'New recovery codes');
    await page.getByText('This is not the present code, or it was used already.').waitFor();
    await inspect(page, 'second-factor-renew');
    await prove(app.next(), 'New recovery codes');
    await page.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByRole('button', { name: 'Turn off' }).click();
    await prove(app.next(), 'Turn off');
    await page.getByText('Two-step sign-in is off.').waitFor();
    await page.getByLabel('Present password').waitFor();
    expect(faultsOf(page)).toEqual([]);
  });

  it('of somebody who has lost the phone is turned off by an owner, on record', async () => {
    const { api, email } = await newUser('viewer');
    await turnOn(dashboard.service(), api);
    const page = await dashboard.open({ path: '/settings/users' });
    const row = page.getByRole('row', { name: email });
    await row.getByText('Two-step').waitFor();
    await row.getByRole('button', { name: `What to do with ${email}` }).click();
    await page.getByRole('menuitem', { name: 'Turn off two-step sign-in' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Be sure that it is they who ask').waitFor();
    await screenshot(page, 'second-factor-reset-1440-light');
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Turn off two-step sign-in' }).click();
    await row.getByText('Two-step').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByRole('row', { name: /Turned off a user’s two-step sign-in/ }).waitFor();
    expect(faultsOf(page)).toEqual([]);
  });
});
