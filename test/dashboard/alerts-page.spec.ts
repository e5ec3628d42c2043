import { expect, it } from '@jest/globals';
import { AlertsService } from '../../src/alerts/alerts.service.js';
import { screenshot } from '../support/browser.js';
import { useDashboardPage } from '../support/dashboard-page.js';
import { eventually } from '../support/eventually.js';

const dashboard = useDashboardPage();

const raise = (subject: string, text: string, kind: 'account_restricted' | 'number_quality') =>
  dashboard
    .service()
    .app.get(AlertsService, { strict: false })
    .raise({
      kind,
      severity: kind === 'account_restricted' ? 'error' : 'warning',
      tenantId: dashboard.service().tenantId,
      businessAccountId: null,
      subject,
      text,
      details: {},
      occurredAt: dashboard.service().clock.now(),
    });

it('The bell counts what the user has not read, and leads to a list that says what to do', async () => {
  await raise('one', 'The business account may send nothing until tomorrow.', 'account_restricted');
  await raise('two', 'The provider rates the number Sales RED.', 'number_quality');
  const page = await dashboard.open();
  await page.getByRole('link', { name: 'Alerts, 2 unread' }).click();
  await page.getByRole('heading', { name: 'Alerts', level: 1 }).waitFor();
  await page.getByText('Sending goes on by itself').waitFor();
  await screenshot(page, 'alerts');
  await page.getByRole('button', { name: 'Mark as read' }).first().click();
  await page.getByRole('link', { name: 'Alerts, 1 unread' }).waitFor();
  await raise('three', 'Another account may send nothing.', 'account_restricted');
  await page.getByRole('link', { name: 'Alerts, 2 unread' }).waitFor();
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await page.getByRole('link', { name: 'Alerts, none unread' }).waitFor();
  expect(await page.getByRole('button', { name: 'Mark as read' }).count()).toBe(0);
  await page.reload();
  await page.getByRole('link', { name: 'Alerts, none unread' }).waitFor();
});

it('A page without alerts says so', async () => {
  await dashboard.service().database.run({ name: '', text: 'DELETE FROM alerts' });
  const page = await dashboard.open({ path: '/alerts' });
  await page.getByText('No open alerts').waitFor();
  await eventually(async () => expect(await page.getByRole('alert').count()).toBe(0));
  await screenshot(page, 'alerts-none');
});
