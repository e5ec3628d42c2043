import { describe, expect, it } from '@jest/globals';
import { text } from '../support/api.js';
import { accessibilityFaults, faultsOf, screenshot } from '../support/browser.js';
import { useDashboardPage } from '../support/dashboard-page.js';

const MINUTE = 60_000;

// Longer than a test, so that no receipt comes.
const dashboard = useDashboardPage({ receiptDelay: 600_000 });

async function send(phone: string, data: object): Promise<number> {
  const answer = await dashboard.service().api.send(phone, { data });
  expect(answer).toMatchObject({ status: 202 });
  return answer.body.data['message_log_id'] as number;
}

describe('The sent page', () => {
  it('says that a code without a receipt after its time to live was probably not delivered', async () => {
    const code = [text('123456')];
    const id = await send('+12025550100', {
      name: 'login_code',
      language_code: 'en_US',
      components: [
        { type: 'body', parameters: code },
        { type: 'button', sub_type: 'url', index: 0, parameters: code },
      ],
    });
    const page = await dashboard.open({ path: '/messages' });
    const row = page.getByRole('row').filter({ hasText: '+12025550100' });
    await row.getByText('Sent', { exact: true }).waitFor();
    expect(await row.getByText('Probably not delivered').count()).toBe(0);
    dashboard.service().clock.forward(13 * MINUTE);
    await row.getByText('Probably not delivered').waitFor();
    await row.getByRole('link').click();
    const drawer = page.getByRole('dialog', { name: `Message ${id}` });
    await drawer.getByText('tells nobody when it gives up').waitFor();
    await screenshot(page, 'messages-not-delivered');
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(faultsOf(page)).toEqual([]);
  });

  it('says that the provider holds a message back', async () => {
    const id = await send('+12025550140', {
      name: 'order_update',
      language_code: 'en_US',
      params: ['Amal', 'A-1001'],
    });
    const page = await dashboard.open({ path: `/messages/${id}` });
    const drawer = page.getByRole('dialog', { name: `Message ${id}` });
    await drawer.getByText('The provider holds it back').waitFor();
    await screenshot(page, 'messages-held-by-provider');
    expect(faultsOf(page)).toEqual([]);
  });

  it('says neither of a message that is on its way', async () => {
    const id = await send('+12025550101', {
      name: 'order_update',
      language_code: 'en_US',
      params: ['Amal', 'A-1001'],
    });
    const page = await dashboard.open({ path: `/messages/${id}` });
    const drawer = page.getByRole('dialog', { name: `Message ${id}` });
    await drawer.getByText('Taken by the provider').waitFor();
    expect(await drawer.getByRole('alert').count()).toBe(0);
  });
});
