import { describe, expect, it } from '@jest/globals';
import { accessibilityFaults, faultsOf, screenshot } from '../support/browser.js';
import { useDashboardPage } from '../support/dashboard-page.js';
import { eventually } from '../support/eventually.js';

/** Milliseconds after which the page asks again by itself. */
const LOOKS_AGAIN = 15_000;

const dashboard = useDashboardPage();

describe('the overview', () => {
  it('says what to do while there are no messages, then shows them as they are sent and read', async () => {
    const page = await dashboard.open({ path: '/', prepare: (opened) => opened.clock.install() });
    await page.getByText('No messages yet').waitFor();
    await screenshot(page, 'overview-empty-1440-light');
    expect(await accessibilityFaults(page)).toEqual([]);
    for (const recipient of ['0100', '0100', '0101', '0110', '0112'])
      await dashboard.service().api.send(`+1202555${recipient}`);
    const read = page.getByRole('group', { name: 'Read', exact: true });
    await eventually(async () => {
      const look = page.waitForResponse(/dashboard\/api\/overview\?/);
      await page.clock.fastForward(LOOKS_AGAIN);
      await look; // before the next jump, which would make it late
      expect(await read.getByText('66.7% of delivered').isVisible()).toBe(true);
    });
    const failed = page.getByRole('group', { name: 'Failed', exact: true });
    await failed.getByText('2', { exact: true }).waitFor();
    const capped = page.getByRole('group', { name: 'Marketing cap reached', exact: true });
    await capped.getByText('20% of delivered and failed').waitFor();
    const row = page.getByRole('row', { name: /order_update/ });
    await row.getByText('66.7%').waitFor();
    await screenshot(page, 'overview-1440-light');
    const cost = page.getByRole('region', { name: 'Cost by category' });
    await cost.getByText('Total').scrollIntoViewIfNeeded();
    await screenshot(page, 'overview-cost-1440-light');
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(faultsOf(page)).toEqual([]);
  });

  it('warns of a template before the provider pauses it', async () => {
    dashboard.service().sandbox.control.setQuality('order_update', 'YELLOW', 'en_US');
    const page = await dashboard.open({ path: '/?period=24h' });
    const row = page.getByRole('row', { name: /order_update/ });
    await row.getByText('May be paused').waitFor();
    const chart = page.getByRole('region', { name: 'Messages over time' });
    await chart.getByRole('button', { name: 'Show as a table' }).click();
    await chart.getByRole('table').waitFor();
    expect(await chart.getByRole('row').count()).toBe(25);
    await screenshot(page, 'overview-table-1440-light');
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('fits on a phone, also in the dark', async () => {
    const page = await dashboard.open({
      path: '/?period=24h',
      viewport: { width: 360, height: 800 },
      colorScheme: 'dark',
    });
    const chart = page.getByRole('region', { name: 'Messages over time' });
    await chart.waitFor();
    await screenshot(page, 'overview-360-dark');
    await chart.getByText('Failed').scrollIntoViewIfNeeded();
    await screenshot(page, 'overview-chart-360-dark');
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  });
});
