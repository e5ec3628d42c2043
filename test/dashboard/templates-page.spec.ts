import { describe, expect, it } from '@jest/globals';
import { accessibilityFaults, faultsOf, screenshot } from '../support/browser.js';
import { useDashboardPage } from '../support/dashboard-page.js';
import { eventually } from '../support/eventually.js';

const dashboard = useDashboardPage();

describe('the list of templates', () => {
  it('is filtered by what is typed and chosen, and keeps the filter over a reload', async () => {
    const page = await dashboard.open({ path: '/templates' });
    await page.getByRole('link', { name: 'spring_offer' }).waitFor();
    await screenshot(page, 'templates-1440-light');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('textbox', { name: 'Search' }).fill('order');
    await page.getByRole('link', { name: 'spring_offer' }).waitFor({ state: 'detached' });
    await page.getByRole('combobox', { name: 'Language' }).click();
    await page.getByRole('option', { name: 'ar', exact: true }).click();
    await eventually(async () => expect(await page.getByRole('row').count()).toBe(2));
    expect(page.url()).toContain('?search=order&language=ar');
    await page.reload();
    await page.getByRole('link', { name: 'order_update' }).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('link', { name: 'spring_offer' }).waitFor();
    expect(faultsOf(page)).toEqual([]);
  });

  it('shows a pause with its reason without a reload', async () => {
    const page = await dashboard.open({ path: '/templates?search=spring_offer' });
    const row = page.getByRole('row', { name: /spring_offer/ });
    await row.getByText('Approved').waitFor();
    dashboard.service().sandbox.control.setTemplateStatus('spring_offer', 'PAUSED');
    await row.getByText('Paused').waitFor();
    await row.getByText('Paused').hover();
    expect(await page.getByRole('tooltip').textContent()).toMatch(/\w/);
    dashboard.service().sandbox.control.setTemplateStatus('spring_offer', 'REINSTATED');
    await row.getByText('Approved').waitFor();
  });

  it('shows cards on a phone, also in the dark', async () => {
    const page = await dashboard.open({
      path: '/templates',
      viewport: { width: 360, height: 800 },
      colorScheme: 'dark',
    });
    await page.getByRole('link', { name: 'spring_offer' }).waitFor();
    await screenshot(page, 'templates-360-dark');
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  });
});

describe('the page of a template', () => {
  it('shows the message, its facts and its history', async () => {
    const page = await dashboard.open({ path: '/templates?search=spring_offer' });
    await page.getByRole('link', { name: 'spring_offer' }).click();
    await page.getByRole('heading', { name: 'spring_offer (en_US)' }).waitFor();
    await page.getByRole('group', { name: 'Preview of the message' }).getByText('off until Sunday').waitFor();
    dashboard.service().sandbox.control.setTemplateStatus('spring_offer', 'PAUSED');
    await page.getByText('Status: Approved → Paused').first().waitFor();
    await screenshot(page, 'template-1440-light');
    expect(await accessibilityFaults(page)).toEqual([]);
    dashboard.service().sandbox.control.setQuality('spring_offer', 'YELLOW');
    await page.getByText('Medium quality').first().waitFor();
    await page.setViewportSize({ width: 360, height: 800 });
    await screenshot(page, 'template-360-light');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    expect(faultsOf(page)).toEqual([]);
  });

  it('announces a new category, as the list and the overview do, until the category has changed', async () => {
    const { control } = dashboard.service().sandbox;
    control.setCategory('order_update', 'MARKETING', { warning: true, language: 'en_US' });
    const page = await dashboard.open({ path: '/templates?search=order_update&language=en_US' });
    await page
      .getByRole('row', { name: /order_update/ })
      .getByText('Marketing soon')
      .waitFor();
    await screenshot(page, 'templates-category-1440-light');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('link', { name: 'order_update' }).click();
    await page.getByText('Its category will change').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.goto(`${dashboard.service().url}/dashboard/`);
    const alert = page.getByRole('status').filter({ hasText: 'The category of a template will change' });
    await alert.waitFor();
    expect(await alert.getByRole('button', { name: 'Dismiss' }).count()).toBe(0);
    await screenshot(page, 'overview-alert-1440-light');
    expect(await accessibilityFaults(page)).toEqual([]);
    control.setCategory('order_update', 'MARKETING', { language: 'en_US' });
    await alert.waitFor({ state: 'detached' });
    expect(faultsOf(page)).toEqual([]);
  });
});
