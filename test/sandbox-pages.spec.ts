import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { SECRETS } from './support/service.js';
import { accessibilityFaults, faultsOf, screenshot } from './support/browser.js';
import { useDashboardPage } from './support/dashboard-page.js';
import { eventually } from './support/eventually.js';

const HOUR = 3_600_000;

const dashboard = useDashboardPage();
const service = () => dashboard.service();

/** Opens a page of the sandbox, as a visitor of it. */
async function open(path: string): Promise<Page> {
  const page = await dashboard.openAsVisitor({
    baseURL: service().config.PROVIDER_BASE_URL,
    viewport: { width: 1000, height: 900 },
  });
  await page.goto(path);
  return page;
}

const events = async (type: string) =>
  (await service().api.get(`/api/v1/events?types=${type}`)).body.data as unknown as any[];

const send = (phone: string, name: string, components: object[] = [], fields: object = {}) =>
  service().api.send(phone, { data: { name, components }, ...fields });

const bodyOf = (...texts: string[]) => ({
  type: 'body',
  parameters: texts.map((text) => ({ type: 'text', text })),
});

const COUPON = {
  type: 'button',
  sub_type: 'copy_code',
  index: 0,
  parameters: [{ type: 'coupon_code', coupon_code: 'SPRING20' }],
};

describe('The inbox page', () => {
  it('lets one tap a quick reply, which reaches the tenant with its payload and its message', async () => {
    const phone = '+14155551201';
    const reminder = [
      { type: 'header', parameters: [{ type: 'text', text: 'Amal' }] },
      bodyOf('Monday', '10:00'),
    ];
    const { status, body } = await send(phone, 'appointment_reminder', reminder, {
      client_reference: 'visit-7',
    });
    expect(status).toBe(202);
    const page = await open('/inbox');
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await page.getByText('tapped a button').waitFor();
    const inbound = await eventually(async () => {
      const [first] = await events('message.inbound');
      expect(first).toBeDefined();
      return first;
    });
    expect(inbound.data).toMatchObject({
      from: phone.slice(1),
      type: 'button',
      text: 'Confirm',
      payload: 'Confirm',
      in_reply_to: body.data['message_log_id'],
      client_reference: 'visit-7',
    });
    await screenshot(page, 'sandbox-inbox');
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(faultsOf(page)).toEqual([]);
  });

  it('lets one answer STOP, after which the next offer is refused', async () => {
    const phone = '+971501234001';
    const offer = () => send(phone, 'coupon', [bodyOf('Amal'), COUPON]);
    const first = await offer();
    expect(first.status).toBe(202);
    const page = await open(`/inbox?to=${encodeURIComponent(phone)}`);
    await page.getByRole('textbox', { name: `Reply as ${phone}` }).fill('STOP');
    await page.getByRole('button', { name: 'Reply', exact: true }).click();
    await page.locator('.reply', { hasText: 'STOP' }).waitFor();
    await eventually(async () => {
      const { status, body } = await offer();
      expect([status, body.error?.code]).toEqual([422, 'RECIPIENT_OPTED_OUT']);
    });
    expect(faultsOf(page)).toEqual([]);
  });

  it('says in plain words what is wrong with a reply', async () => {
    await send('+14155551203', 'hello_world');
    const page = await open('/inbox?to=14155551203');
    let said = '';
    page.on('dialog', async (dialog) => {
      said = dialog.message();
      await dialog.accept();
    });
    await page.getByRole('textbox').fill('   ');
    await page.getByRole('button', { name: 'Reply', exact: true }).click();
    await eventually(() => expect(said).toBe('text is required.'));
  });
});

describe('The page of pushed events', () => {
  it('makes an endpoint by one click, shows what is pushed, and lets requests fail to show retries', async () => {
    const { sandbox, url, api } = service();
    sandbox.linkService({ url, apiKey: SECRETS.demoApiKey });
    const page = await open('/events');
    const link = page.getByRole('button', { name: 'Push the demo tenant’s events here' });
    await link.click();
    await page.getByText('The secret of an endpoint is known').waitFor();
    await page.getByRole('button', { name: 'Fail (500)' }).click();
    await page.getByRole('button', { name: 'Fail (500)', pressed: true }).waitFor();
    await api.send('+14155551204', { client_reference: 'order-9' });
    // With the last event of the message: a request with more events than the one before is no repetition of it.
    const failed = page
      .locator('article', { hasText: 'answered with 500' })
      .filter({ hasText: 'message.read' });
    await failed.first().waitFor();
    expect(await failed.first().textContent()).toContain('signature verified');
    await page.getByRole('button', { name: 'Take them (200)' }).click();
    await page.getByRole('button', { name: 'Take them (200)', pressed: true }).waitFor();
    service().clock.forward(HOUR); // by then it is tried again, however often it has failed
    const taken = page.locator('article', { hasText: 'answered with 200' }).filter({ hasText: /try \d/ });
    await taken.waitFor();
    await page.locator('article', { hasText: 'message.read' }).first().waitFor();

    await taken.getByText('Raw JSON').click();
    await taken.getByText('"client_reference": "order-9"').first().waitFor();
    await api.send('+14155551205', { client_reference: 'order-10' });
    await page.locator('article', { hasText: 'order-10' }).first().waitFor();
    expect(await taken.locator('details').getAttribute('open')).not.toBeNull();
    await screenshot(page, 'sandbox-events');
    expect(await accessibilityFaults(page)).toEqual([]);

    // Once more: the endpoint is there, and gets another secret.
    await link.click();
    await eventually(async () => {
      const endpoints = (await api.get('/api/v1/webhook-endpoints')).body.data as unknown as any[];
      expect(endpoints).toHaveLength(1);
    });
    expect(faultsOf(page)).toEqual([]);
  });
});
