import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type PagePath, pagePaths } from '../../dashboard/src/page-paths.js';
import { VERSION } from '../../src/common/project.js';
import { DEMO } from '../../src/embedded/demo.js';
import { faultsOf } from '../support/browser.js';
import { useDashboardPage } from '../support/dashboard-page.js';
import { eventually } from '../support/eventually.js';
import { controlsOutOfReach } from '../support/out-of-reach.js';
import { type PageVisit, pageVisits } from '../support/page-visits.js';
import { SECRETS } from '../support/service.js';

const PHONE = { width: 360, height: 740 };

const dashboard = useDashboardPage();
let visits: Record<PagePath, PageVisit[]>;
beforeAll(async () => {
  visits = await pageVisits(dashboard.service());
}, 60_000);

/** Warnings and errors of the browser's console, and answers with status 400 or more. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['warning', 'error'].includes(message.type())) complaints.push(message.text());
  });
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
  });
  return complaints;
}

describe('On a phone', () => {
  it.each(pagePaths)('every control of the page %s can be reached', async (path) => {
    for (const one of visits[path]) {
      const page = await dashboard.open({ path: one.path, viewport: PHONE });
      await page.getByText(one.shows).first().waitFor();
      await eventually(async () =>
        expect([one.path, await controlsOutOfReach(page)]).toEqual([one.path, []]),
      );
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
    }
  });

  it('the navigation and the menu of the user can be reached', async () => {
    const page = await dashboard.open({ path: '/numbers', viewport: PHONE });
    await page.getByRole('button', { name: 'Open navigation' }).click();
    await page.getByRole('link', { name: 'Audit log' }).waitFor();
    await page.getByText(`Version ${VERSION}`).waitFor();
    expect(await page.getByRole('link', { name: 'API docs' }).getAttribute('href')).toBe('/docs');
    // It slides in.
    await eventually(async () => expect(await controlsOutOfReach(page)).toEqual([]));
    await page.getByRole('button', { name: 'Close navigation' }).click();
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).waitFor();
    await eventually(async () => expect(await controlsOutOfReach(page)).toEqual([]));
  });
});

describe('The console', () => {
  it('stays empty from the login over every page to the end of the session', async () => {
    const page = await dashboard.openAsVisitor();
    const complaints = complaintsOf(page);
    await page.goto('/');
    await page.getByLabel('Email').fill(DEMO.email);
    await page.getByLabel('Password', { exact: true }).fill(SECRETS.demoPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    for (const one of pagePaths.flatMap((path) => visits[path])) {
      await page.goto(`/dashboard${one.path}`);
      await page.getByText(one.shows).first().waitFor();
      expect([one.path, complaints]).toEqual([one.path, []]);
    }
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(complaints).toEqual([]);
    expect(faultsOf(page)).toEqual([]);
  }, 120_000);
});
