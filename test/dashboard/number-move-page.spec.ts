import { describe, expect, it } from '@jest/globals';
import { DEMO } from '../../src/embedded/demo.js';
import { sendBody } from '../support/api.js';
import { accessibilityFaults, faultsOf, screenshot } from '../support/browser.js';
import { dashboardApi } from '../support/dashboard-api.js';
import { useDashboardPage } from '../support/dashboard-page.js';
import { cloneOf } from '../support/moves.js';

const [sales] = DEMO.numbers;
const OPEN = `Move ${sales.name} to another business account`;

const LOGIN_CODE = {
  name: 'login_code',
  components: [
    { type: 'body', parameters: [{ type: 'text', text: '123456' }] },
    { type: 'button', sub_type: 'url', index: 0, parameters: [{ type: 'text', text: '123456' }] },
  ],
};

const dashboard = useDashboardPage();

/** A message of the demo's first number that is due tomorrow. */
async function schedule(data: object): Promise<void> {
  const scheduled_at = new Date(Date.now() + 86_400_000).toISOString();
  const body = { ...sendBody('+12025550100'), data, scheduled_at, timezone: 'UTC' };
  expect(await dashboard.service().api.post('/api/v1/messages/send', body)).toMatchObject({ status: 202 });
}

describe('A number', () => {
  it('moves to another business account after the provider has moved it, and shows what waits for a template', async () => {
    const service = dashboard.service();
    await schedule(sendBody('').data);
    await schedule(LOGIN_CODE);
    const page = await dashboard.open({ path: '/numbers' });
    const dialog = page.getByRole('dialog', { name: `Move ${sales.name}` });
    await page.getByRole('button', { name: OPEN }).click();
    await dialog.getByText('There is no other business account').waitFor();
    await page.keyboard.press('Escape');

    const clone = await cloneOf(service, { id: service.tenantId, wabaId: DEMO.wabaId }, ['login_code']);
    const section = page.getByRole('region', { name: `Business account ${clone.wabaId}` });
    await section.waitFor();
    await page.getByRole('button', { name: OPEN }).click();
    await dialog.getByRole('button', { name: 'Move number' }).click();
    await dialog.getByText('Choose the business account that it moves to.').waitFor();
    await dialog.getByRole('combobox', { name: 'Move to' }).click();
    await page.getByRole('option', { name: `Business account ${clone.wabaId}` }).click();
    await dialog.getByRole('button', { name: 'Move number' }).click();
    await dialog.getByText('The provider knows no number with this id').waitFor();
    await screenshot(page, 'number-move-1440-light');
    expect(await accessibilityFaults(page)).toEqual([]);

    service.sandbox.control.moveNumber(sales.phoneNumberId, clone.wabaId);
    await dialog.getByRole('button', { name: 'Move number' }).click();
    await dialog.getByText('Waiting messages with a template of the new account: 1.').waitFor();
    await dialog.getByText('Without one, on hold until it is there: 1.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await section.getByRole('article', { name: sales.name }).waitFor();
    await section.getByText('Messages with login_code (en_US) wait').waitFor();
    await section.getByText('In the business account: There is no such template').waitFor();
    await screenshot(page, 'number-moved-1440-light');
    expect(faultsOf(page)).toEqual([]);
  });

  it('is moved by owners, within their tenant', async () => {
    const path = `/dashboard/api/numbers/${DEMO.numbers[1].apiId}/move`;
    const body = { business_account_id: '11111111-2222-4333-8444-555555555555' };
    const editor = await dashboardApi(dashboard.service(), 'editor');
    expect(await editor.post(path, body)).toMatchObject({ status: 403 });
    const owner = await dashboardApi(dashboard.service(), 'owner');
    expect(await owner.post(path, body)).toMatchObject({ body: { error: { code: 'ACCOUNT_NOT_FOUND' } } });
    const entries = (await owner.get('/dashboard/api/audit-log')).body.data as unknown as {
      action: string;
    }[];
    expect(entries.find(({ action }) => action === 'number.moved')).toMatchObject({
      details: { messaging_account_id: sales.apiId, bound: 1, unbound: 1 },
    });
  });
});
