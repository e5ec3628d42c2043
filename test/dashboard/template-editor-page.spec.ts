import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { DashboardUsersService } from '../../src/accounts/dashboard-users.service.js';
import type { SandboxControl } from '../../src/sandbox/sandbox-control.js';
import { accessibilityFaults, faultsOf, screenshot } from '../support/browser.js';
import { useDashboardPage } from '../support/dashboard-page.js';
import { eventually } from '../support/eventually.js';
import { SECRETS } from '../support/service.js';
import { PNG, storedTemplates } from '../support/template-drafts.js';

const FILES = {
  Image: { name: 'parcel.png', mimeType: 'image/png', buffer: PNG },
  Video: { name: 'unpacking.mp4', mimeType: 'video/mp4', buffer: Buffer.from('not much of a film') },
  Document: { name: 'invoice.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') },
};

// Longer than a test: each test ends the review itself after it has seen the template in review.
const dashboard = useDashboardPage({ reviewDelay: 600_000 });
const review = (...decision: Parameters<SandboxControl['setTemplateStatus']>) =>
  dashboard.service().sandbox.control.setTemplateStatus(...decision);

const body = (page: Page) => page.getByRole('textbox', { name: 'Body text' });
const expectShown = (page: Page, text: string | RegExp) =>
  eventually(async () => expect(await page.getByText(text).first().isVisible()).toBe(true));
const isSaved = (page: Page) => page.getByText(/^\s*Saved(?! as)/).waitFor();

/** Fills in a valid template with one variable. */
async function write(page: Page, name: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('combobox', { name: 'Language' }).fill('en_US');
  await page.getByRole('option', { name: /en_US/ }).click();
  await body(page).pressSequentially('Hello ');
  await page.getByRole('button', { name: 'Add variable' }).last().click();
  await body(page).pressSequentially(', your parcel is on its way to you.');
  await page.getByRole('textbox', { name: 'Sample for {{1}}', exact: true }).fill('Ana');
}

async function submit(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Submit for review' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Submit for review' }).click();
}

const expectSound = async (page: Page) => {
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(faultsOf(page)).toEqual([]);
};

describe('the template editor', () => {
  it('loses no click when the click leaves a field with a fault', async () => {
    const page = await dashboard.open({ path: '/templates/new' });
    await page.getByRole('combobox', { name: 'Language' }).fill('no such language');
    await page.getByText('Text', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Header text' }).waitFor();
    const language = page.getByRole('combobox', { name: 'Language' });
    await eventually(async () => expect(await language.getAttribute('aria-invalid')).toBe('true'));
    expect(faultsOf(page)).toEqual([]);
  });

  it.each(['Text', 'Image', 'Video', 'Document'] as const)(
    'makes a template with a header of kind %s, and shows its approval without a reload',
    async (kind) => {
      const page = await dashboard.open({ path: '/templates/new' });
      await write(page, `Parcel ${kind}`);
      await page.getByText(kind, { exact: true }).click();
      if (kind === 'Text') await page.getByRole('textbox', { name: 'Header text' }).fill('Your parcel');
      else await page.locator('input[type=file]').setInputFiles(FILES[kind]);
      if (kind !== 'Text') await page.getByText('Uploaded').waitFor();
      await submit(page);
      const name = `parcel_${kind.toLowerCase()}`;
      await page.getByRole('heading', { name }).waitFor();
      await expectShown(page, 'In review');
      review(name, 'APPROVED');
      await expectShown(page, 'Approved');
      expect(faultsOf(page)).toEqual([]);
    },
  );

  it('accepts a time to live in several units, within the provider’s bounds', async () => {
    const page = await dashboard.open({ path: '/templates/new' });
    await write(page, 'brief');
    const time = page.getByRole('textbox', { name: 'Tried for at most' });
    await time.fill('13');
    await time.blur();
    await expectShown(page, 'Use a time from 30 seconds to 12 hours, or 30 days.');
    await time.fill('2');
    await isSaved(page);
    await page.reload();
    await isSaved(page);
    expect(await time.inputValue()).toBe('2');
    expect(await page.getByRole('combobox', { name: 'Unit' }).inputValue()).toBe('hours');
    await time.scrollIntoViewIfNeeded();
    await screenshot(page, 'template-time-to-live');
    await expectSound(page);
    await submit(page);
    await page.getByRole('heading', { name: 'brief' }).waitFor();
    await expectShown(page, '2 hours');
    const [stored] = await storedTemplates(dashboard.service(), 'brief');
    expect(stored).toMatchObject({ message_send_ttl_seconds: 7_200 });
  });

  it('leads to the page of the template, which shows a rejection and its reason without a reload', async () => {
    const page = await dashboard.open({ path: '/templates/new' });
    await write(page, 'not like this');
    await submit(page);
    await expectShown(page, 'In review');
    review('not_like_this', 'REJECTED', { reason: 'INVALID_FORMAT' });
    await expectShown(page, 'Rejected');
    await expectShown(page, /INVALID_FORMAT/);
    expect(faultsOf(page)).toEqual([]);
  });

  it('keeps what was typed over a reload, also while the server cannot save it', async () => {
    const page = await dashboard.open({ path: '/templates/new' });
    await write(page, 'kept');
    await isSaved(page);
    await page.reload();
    await isSaved(page);
    expect(await body(page).inputValue()).toBe('Hello {{1}}, your parcel is on its way to you.');
    await page.route('**/template-drafts/*', (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    );
    await body(page).pressSequentially(' Thank you.');
    await expectShown(page, /Not saved: /);
    await page.unrouteAll();
    await page.reload();
    await isSaved(page);
    expect(await body(page).inputValue()).toContain('Thank you.');
    expect(faultsOf(page)).toEqual([]);
  });

  it('asks which version is meant when two tabs have changed the same draft', async () => {
    const page = await dashboard.open({ path: '/templates/new' });
    await write(page, 'two_tabs');
    await isSaved(page);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole('textbox', { name: 'Footer text' }).fill('From the other tab');
    await isSaved(other);
    await page.getByRole('textbox', { name: 'Footer text' }).fill('From this tab');
    await page.getByRole('dialog', { name: /another tab/ }).waitFor();
    await page.getByRole('button', { name: 'Use the other version' }).click();
    await eventually(async () =>
      expect(await page.getByRole('textbox', { name: 'Footer text' }).inputValue()).toBe(
        'From the other tab',
      ),
    );
  });

  it('numbers variables, and renumbers them with their samples when one is deleted', async () => {
    const page = await dashboard.open({ path: '/templates/new' });
    await write(page, 'numbers');
    await page.getByRole('button', { name: 'Add variable' }).last().click();
    await body(page).pressSequentially(' is the day of arrival.');
    await page.getByRole('textbox', { name: 'Sample for {{2}}', exact: true }).fill('Monday');
    await body(page).press('Control+Home');
    for (let i = 0; i < 'Hello '.length; i += 1) await body(page).press('ArrowRight');
    await body(page).press('Delete');
    await body(page).pressSequentially('Bob');
    expect(await body(page).inputValue()).toBe(
      'Hello Bob, your parcel is on its way to you.{{1}} is the day of arrival.',
    );
    expect(await page.getByRole('textbox', { name: 'Sample for {{1}}', exact: true }).inputValue()).toBe(
      'Monday',
    );
    expect(await page.getByRole('textbox', { name: 'Sample for {{2}}', exact: true }).count()).toBe(0);
  });

  it('shows faults, also those of the provider, at their field, but not before the field was left', async () => {
    const page = await dashboard.open({ path: '/templates/new' });
    await page.getByRole('textbox', { name: 'Name' }).fill('Order Update!');
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('order_update');
    expect(await page.getByText('This is required.').count()).toBe(0);
    await page.getByRole('button', { name: 'Submit for review' }).click();
    await expectShown(page, '2 things need your attention');
    await screenshot(page, 'template-editor-faults');
    await expectSound(page);
    await write(page, 'order_update');
    await submit(page);
    await expectShown(page, /There is already a template order_update in en_US/);
    await eventually(async () =>
      expect(await page.getByRole('textbox', { name: 'Name' }).getAttribute('aria-invalid')).toBe('true'),
    );
  });

  it('works at both widths, in light and dark, and for Arabic', async () => {
    const page = await dashboard.open({ path: '/templates/new' });
    await arabic(page);
    await screenshot(page, 'template-editor-1440-light');
    await expectSound(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.evaluate("localStorage.setItem('mantine-color-scheme-value', 'dark')");
    await page.reload();
    await isSaved(page);
    await screenshot(page, 'template-editor-1440-dark');
    await expectSound(page);
    await page.setViewportSize({ width: 360, height: 800 });
    await screenshot(page, 'template-editor-360-dark');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    await expectSound(page);
  });

  it('is closed to viewers', async () => {
    const users = dashboard.service().app.get(DashboardUsersService, { strict: false });
    await users.create(dashboard.service().tenantId, 'looker@example.com', SECRETS.demoPassword, {
      role: 'viewer',
    });
    const page = await dashboard.open({
      path: '/templates/new',
      email: 'looker@example.com',
    });
    await expectShown(page, 'Only editors can write templates');
    expect(await page.getByRole('textbox').count()).toBe(0);
    await expectSound(page);
  });
});

/** Fills in a template with nearly every part, in Arabic. */
async function arabic(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Name' }).fill('order_ready_ar');
  await page.getByRole('combobox', { name: 'Language' }).fill('Arabic');
  await page.getByRole('option', { name: /· ar$/ }).click();
  await page.getByText('Image', { exact: true }).click();
  await page.locator('input[type=file]').setInputFiles(FILES.Image);
  await page.getByText('Uploaded').waitFor();
  await body(page).fill('مرحبا {{1}}، طلبك رقم *{{2}}* جاهز للاستلام من متجرنا اليوم.');
  await page.getByRole('textbox', { name: 'Sample for {{1}}', exact: true }).fill('ليلى');
  await page.getByRole('textbox', { name: 'Sample for {{2}}', exact: true }).fill('A-1001');
  await page.getByRole('textbox', { name: 'Footer text' }).fill('شكرا لك');
  await page.getByRole('button', { name: 'Add button' }).click();
  await page.getByRole('menuitem', { name: 'Open a page' }).click();
  await page.getByRole('textbox', { name: 'Label' }).fill('تتبع الطلب');
  await page.getByRole('textbox', { name: 'Address', exact: true }).fill('https://example.com/{{1}}');
  await page.getByRole('textbox', { name: /Sample for the address/ }).fill('A-1001');
  await isSaved(page);
}
