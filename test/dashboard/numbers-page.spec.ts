import { describe, expect, it } from '@jest/globals';
import { DEMO } from '../../src/embedded/demo.js';
import { PortfolioUseService } from '../../src/numbers/portfolio-use.service.js';
import { accessibilityFaults, faultsOf, screenshot } from '../support/browser.js';
import { useDashboardPage } from '../support/dashboard-page.js';
import { eventually } from '../support/eventually.js';
import { SECRETS } from '../support/service.js';
import { deliver } from '../support/webhooks.js';

const [sales] = DEMO.numbers;

const dashboard = useDashboardPage();

const phone = { viewport: { width: 360, height: 800 }, colorScheme: 'dark' } as const;

describe('the numbers', () => {
  it('have an API ID to copy, and tell when the first webhook has arrived', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const page = await dashboard.open({ path: '/numbers', permissions });
    const card = page.getByRole('article', { name: sales.name });
    await card.getByText('80 a second').waitFor();
    await page.getByText('Waiting for the first webhook…').waitFor();
    await card.getByRole('button', { name: 'Copy API ID' }).click();
    await card.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(sales.apiId);
    await dashboard.service().api.send('+12025550100');
    await page.getByText('Arrived').waitFor();
    await page.getByRole('button', { name: 'Show verify token' }).click();
    await page.getByText(SECRETS.webhookVerifyToken).waitFor();
    await screenshot(page, 'numbers-1440-light');
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(faultsOf(page)).toEqual([]);
  });

  it('show a hold when the token is revoked, and let an editor lift it', async () => {
    const page = await dashboard.open({ path: '/numbers' });
    await page.getByRole('article', { name: sales.name }).waitFor();
    dashboard.service().sandbox.control.revokeToken(DEMO.wabaId);
    const sent = await dashboard.service().api.send('+12025550100');
    await page.getByText('All messages of this business account wait').waitFor();
    await page.getByText('The provider does not accept the access token').waitFor();
    await screenshot(page, 'numbers-hold-1440-light');
    expect(await accessibilityFaults(page)).toEqual([]);
    dashboard.service().sandbox.control.restoreToken(DEMO.wabaId);
    await page.getByRole('button', { name: 'Lift now' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Lift now' }).click();
    await page.getByText('All messages of this business account wait').waitFor({ state: 'detached' });
    await eventually(async () =>
      expect((await dashboard.service().api.message(sent.body.data['message_log_id']))['status']).toBe(
        'read',
      ),
    );
    expect(faultsOf(page)).toEqual([]);
  });

  it('show what the provider says of them, and its alerts until somebody has dismissed them', async () => {
    const service = dashboard.service();
    await deliver(service, [
      DEMO.wabaId,
      'account_alerts',
      {
        entity_type: 'BUSINESS',
        entity_id: '506914307656634',
        alert_info: {
          alert_severity: 'CRITICAL',
          alert_status: 'ACTIVE',
          alert_type: 'OBA_REJECTED',
          alert_description: 'We do not grant official business accounts to individuals.',
        },
      },
    ]);
    await service.app.get(PortfolioUseService, { strict: false }).count();
    const page = await dashboard.open({ path: '/numbers' });
    const card = page.getByRole('article', { name: sales.name });
    await card.getByText('Connected').waitFor();
    await card.getByText('10,000 people a day').waitFor();
    await card.getByText(/^\d \(0%\)$/).waitFor();
    const alerts = page.getByRole('region', { name: 'Alerts' });
    const alert = alerts
      .getByRole('status')
      .or(alerts.getByRole('alert'))
      .filter({ hasText: 'OBA_REJECTED: We do not grant official business accounts' });
    await alert.waitFor();
    await screenshot(page, 'numbers-alert-1440-light');
    expect(await accessibilityFaults(page)).toEqual([]);
    await alert.getByRole('button', { name: 'Dismiss' }).click();
    await alert.waitFor({ state: 'detached' });
    expect(faultsOf(page)).toEqual([]);
  });

  it('of an account that the provider has disabled show that messages wait and none is tried', async () => {
    const service = dashboard.service();
    const ban = (waba_ban_state: string) =>
      deliver(service, [
        DEMO.wabaId,
        'account_update',
        { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state, waba_ban_date: 'April 17, 2026' } },
      ]);
    const page = await dashboard.open({ path: '/numbers' });
    await page.getByRole('article', { name: sales.name }).waitFor();
    await ban('DISABLE');
    await page.getByText('All messages of this business account wait').waitFor();
    await page.getByText('none is tried until the provider says that it is over').waitFor();
    await page.getByText('The provider has disabled this business account', { exact: true }).waitFor();
    await screenshot(page, 'numbers-banned-1440-light');
    expect(await accessibilityFaults(page)).toEqual([]);
    await ban('REINSTATE');
    await page.getByText('All messages of this business account wait').waitFor({ state: 'detached' });
    expect(faultsOf(page)).toEqual([]);
  });

  it('are added in a form that tests the connection and shows each fault at its field', async () => {
    const page = await dashboard.open({ path: '/numbers' });
    await page.getByRole('button', { name: 'Add number' }).click();
    const form = page.getByRole('dialog', { name: 'Add number' });
    const id = form.getByRole('textbox', { name: 'Phone number ID' });
    await id.fill(sales.phoneNumberId);
    await form.getByRole('button', { name: 'Test connection' }).click();
    await form.getByText(`The provider knows it as +${sales.phone}`).waitFor();
    expect(await form.getByRole('textbox', { name: 'Phone number', exact: true }).inputValue()).toBe(
      `+${sales.phone}`,
    );
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('This phone number id is already registered.').waitFor();
    expect(await id.getAttribute('aria-invalid')).toBe('true');
    await screenshot(page, 'numbers-form-1440-light');
    expect(await accessibilityFaults(page)).toEqual([]);
    await id.fill('12345');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('The provider knows no number with this id').waitFor();
    dashboard.service().sandbox.addBusinessAccount({
      wabaId: DEMO.wabaId,
      appId: DEMO.appId,
      accessToken: SECRETS.sandboxAccessToken,
      appSecret: SECRETS.sandboxAppSecret,
      numbers: [{ phoneNumberId: '12345', displayPhoneNumber: '+1 415 555 0177', verifiedName: 'Third' }],
    });
    await form.getByRole('textbox', { name: 'Phone number', exact: true }).fill('+1 415 555 0177');
    await form.getByRole('textbox', { name: 'Name' }).fill('Third number');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('article', { name: 'Third number' }).getByText('+14155550177').waitFor();
    expect(faultsOf(page)).toEqual([]);
  });

  it('fit on a phone, also in the dark', async () => {
    const page = await dashboard.open({ path: '/numbers', ...phone });
    await page.getByRole('article', { name: sales.name }).waitFor();
    await screenshot(page, 'numbers-360-dark');
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  });
});
