import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { accessibilityFaults, faultsOf, screenshot } from '../support/browser.js';
import { useDashboardPage } from '../support/dashboard-page.js';
import { eventually } from '../support/eventually.js';

const dashboard = useDashboardPage();

const WIDE = { width: 1440, height: 1200 };

async function open(path = '/send', options = {}): Promise<Page> {
  return dashboard.open({ path, viewport: WIDE, ...options });
}

async function choose(page: Page, name: string, language = 'en_US'): Promise<void> {
  await page.getByRole('combobox', { name: 'Template' }).fill(`${name} (${language})`);
  await page
    .getByRole('option', { name: new RegExp(`^${name}`) })
    .first()
    .click();
  await page.getByRole('group', { name: 'Preview' }).waitFor();
}

const phone = (page: Page) => page.getByRole('textbox', { name: 'Phone number' });
const messages = async () =>
  (await dashboard.service().api.get('/api/v1/messages')).body.data as unknown as any[];

describe('sending a message', () => {
  it('shows how the message looks and what it costs, and then how it becomes read', async () => {
    const page = await open();
    await choose(page, 'order_update');
    await page.getByRole('textbox', { name: 'Text for {{1}}' }).fill("O'Hara");
    await page.getByRole('textbox', { name: 'Text for {{2}}' }).fill('A-1001');
    await phone(page).fill('+1 202 555 0100');
    await page.getByRole('group', { name: 'Preview' }).getByText("Hello O'Hara, your order A-1001").waitFor();
    await page.getByText('$0.004').waitFor();
    const curl = page.getByRole('group', { name: 'curl command' });
    expect(await curl.textContent()).toContain(String.raw`"text": "O'\''Hara"`);
    await screenshot(page, 'send-1440-light');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Send', exact: true }).dblclick();
    await page.getByRole('heading', { name: 'Read' }).waitFor();
    expect(await page.getByText('Delivered').count()).toBe(1);
    await screenshot(page, 'send-read-1440-light');
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await messages()).toHaveLength(1);
    await page.getByRole('button', { name: 'Send another' }).click();
    await page.getByRole('textbox', { name: 'Text for {{1}}' }).waitFor();
    expect(await phone(page).inputValue()).toBe('');
    expect(faultsOf(page)).toEqual([]);
  });

  it('says what is wrong, also beside the field, and warns of what is not wrong at the same time', async () => {
    const page = await open();
    await choose(page, 'coupon');
    await page.getByRole('textbox', { name: 'Text for {{1}}' }).fill('Amal');
    await page.getByRole('textbox', { name: 'Code to copy' }).fill('SPRING20');
    await page.getByText('At a time', { exact: true }).click();
    await page.getByLabel('Date and time').fill('2020-01-15T18:00');
    await phone(page).fill('+1 202 555 0100');
    const verdict = page.getByRole('status').filter({ hasText: 'This cannot be sent yet' });
    await verdict.getByText('This time has passed.').waitFor();
    await verdict.getByText('no marketing to numbers of the United States').waitFor();
    expect(await page.getByLabel('Date and time').getAttribute('aria-invalid')).toBe('true');
    await screenshot(page, 'send-faults-1440-light');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByText('Now', { exact: true }).click();
    await page.getByText('no marketing to numbers of the United States').waitFor();
    await page.getByText('by the rate of North America').waitFor();
    await screenshot(page, 'send-warning-1440-light');
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(faultsOf(page)).toEqual([]);
  });

  it('takes a reference, own data and conditions, which are in the curl line, judged, and on the record', async () => {
    const page = await open();
    await choose(page, 'hello_world');
    await phone(page).fill('+1 202 555 0142');
    const fold = page.getByRole('button', { name: 'Conditions and reference' });
    expect(await fold.getAttribute('aria-expanded')).toBe('false');
    await fold.click();
    await page.getByRole('textbox', { name: 'Your reference' }).fill('order-4711');
    await page.getByRole('button', { name: 'Add an entry' }).click();
    await page.getByRole('textbox', { name: 'Name 1' }).fill('shop');
    await page.getByRole('textbox', { name: 'Value 1' }).fill('7');
    await page.getByRole('checkbox', { name: 'Its text, buttons and placeholders' }).check();
    await page.getByRole('checkbox', { name: 'Its category (utility)' }).check();
    await page.getByLabel('Wanted until').fill('2020-01-15T18:00');
    await page.getByRole('textbox', { name: 'Costs at most' }).fill('0.0001');
    const verdict = page.getByRole('status').filter({ hasText: 'This cannot be sent yet' });
    await verdict.getByText('It would go out after the time until which it is wanted.').waitFor();
    await verdict.getByText('more than its max_cost of 0.0001').waitFor();
    expect(await page.getByLabel('Wanted until').getAttribute('aria-invalid')).toBe('true');
    await screenshot(page, 'send-conditions-1440-light');
    expect(await accessibilityFaults(page)).toEqual([]);

    await page.getByLabel('Wanted until').fill('2099-01-15T18:00');
    await page.getByRole('textbox', { name: 'Costs at most' }).fill('0.05000000000000001');
    await page.getByText('$0.004').waitFor();
    const curl = page.getByRole('group', { name: 'curl command' });
    const shown = (await curl.textContent()) ?? '';
    for (const part of [
      '"client_reference": "order-4711"',
      '"shop": "7"',
      '"max_cost": "0.05000000000000001"',
      '"category": "UTILITY"',
    ])
      expect(shown).toContain(part);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('heading', { name: 'Read' }).waitFor();
    const [message] = await messages();
    expect(message).toMatchObject({
      client_reference: 'order-4711',
      metadata: { shop: '7' },
      valid_until: expect.stringMatching(/^2099-01-1[456]T/),
      max_cost: 0.05,
      expect: { category: 'UTILITY', template_version: message.template.version },
    });
    await page.getByRole('link', { name: 'Show the message' }).click();
    const drawer = page.getByRole('dialog');
    for (const fact of ['order-4711', 'shop: 7']) await drawer.getByText(fact).waitFor();
    expect(faultsOf(page)).toEqual([]);
  });

  it('says beside the phone field what is wrong, and keeps the form over a reload', async () => {
    const page = await open();
    await choose(page, 'hello_world');
    await phone(page).fill('+1 202');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('not a possible international number').first().waitFor();
    expect(await phone(page).getAttribute('aria-invalid')).toBe('true');
    await page.reload();
    await eventually(async () => expect(await phone(page).inputValue()).toBe('+1 202'));
    await page.getByText('Welcome! This message').waitFor();
    expect(faultsOf(page)).toEqual([]);
  });

  it('sends one message when the answer was lost and the form is sent again', async () => {
    const before = (await messages()).length;
    const page = await open();
    await choose(page, 'hello_world');
    await phone(page).fill('+1 202 555 0101');
    let lost = 0;
    await page.route('**/dashboard/api/messages/send', async (route) => {
      await route.fetch();
      lost += 1;
      await (lost === 1 ? route.abort() : route.continue());
    });
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('cannot be reached').first().waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('To +12025550101').waitFor();
    expect(lost).toBe(2);
    expect(await messages()).toHaveLength(before + 1);
  });

  it('schedules a message in a time zone, with uploaded media and a retry', async () => {
    const page = await open('/send', { colorScheme: 'dark' });
    await choose(page, 'spring_offer');
    const png = { name: 'spring.png', mimeType: 'image/png', buffer: Buffer.from(PIXEL, 'base64') };
    await page.locator('input[type=file]').setInputFiles(png);
    await page.getByText('At the provider').waitFor();
    await page.getByRole('textbox', { name: 'Text for {{1}}' }).fill('Amal');
    await page.getByRole('textbox', { name: 'Text for {{2}}' }).fill('20 %');
    await phone(page).fill('+12025550100');
    await page.getByText('At a time', { exact: true }).click();
    const year = dashboard.service().clock.now().getUTCFullYear() + 1;
    await page.getByLabel('Date and time').fill('2020-01-15T18:00');
    await page.getByText('This time has passed.').first().waitFor();
    await page.getByLabel('Date and time').fill(`${year}-01-15T18:00`);
    await page.getByRole('combobox', { name: 'Time zone' }).fill('Dubai');
    await page.getByRole('option', { name: /Dubai/ }).click();
    await page.getByText(/^Goes out Jan 15/).waitFor(); // it moves the switch
    await page.getByRole('switch').click({ force: true });
    await screenshot(page, 'send-scheduled-1440-dark');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Schedule' }).click();
    await page.getByRole('heading', { name: 'Scheduled' }).waitFor();
    const [message] = await messages();
    expect(message).toMatchObject({
      status: 'scheduled',
      scheduled_at: `${year}-01-15T14:00:00.000Z`,
      timezone: 'Asia/Dubai',
      auto_retry_on_frequency_cap: true,
    });
    expect(message.components[0].parameters[0].image.id).toMatch(/^\d+$/);
    expect(faultsOf(page)).toEqual([]);
  });

  it('starts with the template that a link names, also on a phone', async () => {
    const rows = await dashboard.service().database.run<{ id: number }>({
      name: 'test_template',
      text: `SELECT id FROM templates WHERE name = 'delivery_window'`,
    });
    const page = await open(`/send?template=${rows[0]?.id}`, { viewport: { width: 360, height: 800 } });
    await page.getByRole('textbox', { name: 'Text for {{customer}}' }).fill('Amal');
    await page.getByText('Dear Amal, your parcel').waitFor();
    await page.evaluate('window.scrollTo(0, 0)');
    await screenshot(page, 'send-360-light');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    expect(await accessibilityFaults(page)).toEqual([]);
  });
});

/** A picture of one pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
