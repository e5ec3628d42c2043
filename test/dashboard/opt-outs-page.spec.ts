import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { OptOutKeywordsService } from '../../src/recipients/opt-out-keywords.service.js';
import { OptOutsService } from '../../src/recipients/opt-outs.service.js';
import { accessibilityFaults, faultsOf, screenshot } from '../support/browser.js';
import { useDashboardPage } from '../support/dashboard-page.js';

const dashboard = useDashboardPage();

const kept = async (phone: string) =>
  (await dashboard.service().api.get(`/api/v1/opt-outs?phone=${phone}`)).body.data[0];

const words = () => {
  const { app, tenantId } = dashboard.service();
  return app.get(OptOutKeywordsService, { strict: false }).find(tenantId);
};

describe('The page of opt-outs', () => {
  it('adds, finds and removes one', async () => {
    const page = await dashboard.open({ path: '/opt-outs' });
    await page.getByText('Nobody has opted out').waitFor();
    await page.getByRole('button', { name: 'Add opt-out' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Phone number' }).fill('12');
    await dialog.getByRole('button', { name: 'Add opt-out' }).click();
    await dialog.getByText(/not a possible international number/).waitFor();
    await dialog.getByRole('textbox', { name: 'Phone number' }).fill('+49 1511 2345001');
    await dialog.getByRole('radio', { name: 'Messages at all' }).check();
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Asked by phone');
    await dialog.getByRole('button', { name: 'Add opt-out' }).click();
    const row = page.getByRole('row', { name: /49\s?1511\s?2345001|4915112345001/ });
    await row.getByText('Asked by phone').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await kept('4915112345001')).toMatchObject({ scope: 'all', source: 'dashboard' });
    await page.getByRole('search').getByRole('textbox', { name: 'Phone number' }).fill('+4915112345999');
    await page.getByText('No such opt-out').waitFor();
    await page.getByRole('search').getByRole('textbox', { name: 'Phone number' }).fill('+4915112345001');
    await row.waitFor();
    await screenshot(page, 'opt-outs-1440-light');
    expect(await accessibilityFaults(page)).toEqual([]);
    await row.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No such opt-out').waitFor();
    expect(await kept('4915112345001')).toBeUndefined();
    expect(faultsOf(page)).toEqual([]);
  });

  it('imports a file, tells its bad lines, exports what an import takes, and narrows nothing', async () => {
    const { app, tenantId } = dashboard.service();
    const wish = { phone: '4915112345003', scope: 'all', source: 'api', reason: null } as const;
    await app.get(OptOutsService, { strict: false }).set(tenantId, wish);
    const page = await dashboard.open({ path: '/opt-outs' });
    await page.getByRole('button', { name: 'Import' }).click();
    const lines = [
      'phone,scope,reason',
      '+4915112345002,,Letter',
      '12',
      '+4915112345003',
      '+4915112345004,none',
    ];
    await page
      .getByRole('dialog')
      .locator('input[type=file]')
      .setInputFiles({
        name: 'list.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(lines.join('\n')),
      });
    const dialog = page.getByRole('dialog');
    await dialog.getByText('2 lines were read; 1 opt-outs are new or have changed.').waitFor();
    await dialog.getByText(/^Line 3: .*not a possible international number/).waitFor();
    await dialog.getByText('Line 5: The scope is marketing or all, not “none”.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await kept('4915112345002')).toMatchObject({
      scope: 'marketing',
      source: 'import',
      reason: 'Letter',
    });
    expect(await kept('4915112345003')).toMatchObject({ scope: 'all', source: 'api' });
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^opt-outs-.*\.csv$/);
    const exported = await readFile(await download.path());
    expect(exported.toString().trim().split('\r\n')).toHaveLength(3);
    expect(exported.toString()).toContain('4915112345002,marketing,Letter,import,');
    await page.getByRole('button', { name: 'Import' }).click();
    await dialog
      .locator('input[type=file]')
      .setInputFiles({ name: 'opt-outs.csv', mimeType: 'text/csv', buffer: exported });
    await dialog.getByText('2 lines were read; 0 opt-outs are new or have changed.').waitFor();
    expect(faultsOf(page)).toEqual([]);
  });

  it('keeps what it has read before the fault of a file, and forgets the fault with its dialog', async () => {
    const page = await dashboard.open({ path: '/opt-outs' });
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Import' }).click();
    const others = Array.from({ length: 900 }, (_, i) => `+4915112346${String(i).padStart(3, '0')}`);
    const buffer = Buffer.from(['phone', '+4915112345005', ...others, '"12'].join('\n'));
    await dialog.locator('input[type=file]').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer });
    await dialog.getByRole('alert').waitFor();
    expect(await kept('4915112345005')).toMatchObject({ source: 'import' });
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Import' }).click();
    await dialog.getByText('Import opt-outs').first().waitFor();
    expect(await dialog.getByRole('alert').count()).toBe(0);
  });

  it('changes the words that opt out, and takes the usual ones again', async () => {
    const page = await dashboard.open({ path: '/opt-outs' });
    await page.getByText('These are the usual ones').waitFor();
    await page.getByRole('combobox', { name: 'Words' }).fill('Enough');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Save the words' }).click();
    const reset = page.getByRole('button', { name: 'Take the usual ones' });
    await reset.waitFor();
    expect(await words()).toMatchObject({
      keywords: expect.arrayContaining(['stop', 'Enough']),
      are_default: false,
    });
    await reset.click();
    await page.getByText('These are the usual ones').waitFor();
    expect(await words()).toMatchObject({ are_default: true });
    expect(faultsOf(page)).toEqual([]);
  });
});
