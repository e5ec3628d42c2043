import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { sendBody, text } from '../support/api.js';
import { faultsOf } from '../support/browser.js';
import { signIn } from '../support/dashboard-api.js';
import { useDashboardPage } from '../support/dashboard-page.js';
import { DEMO } from '../../src/embedded/demo.js';
import { SECRETS } from '../support/service.js';

const HOSTILE = `<img src=x onerror="window.attacked=1"><script>window.attacked=1</script>`;

const dashboard = useDashboardPage();

const attacked = (page: Page) => page.evaluate('window.attacked');

describe('Markup in a text', () => {
  it('is shown as plain text in a message and in the name of a key', async () => {
    const { api, url } = dashboard.service();
    const data = {
      name: 'order_update',
      components: [{ type: 'body', parameters: [text(HOSTILE), text('A-1')] }],
    };
    const { body } = await api.post('/api/v1/messages/send', { ...sendBody('+12025550101'), data });
    const owner = await signIn(url, DEMO.email, SECRETS.demoPassword);
    const name = HOSTILE.slice(0, 100);
    expect((await owner.post('/dashboard/api/api-keys', { name })).status).toBe(201);
    for (const [path, shown] of [
      [`/messages/${body.data['message_log_id']}`, HOSTILE],
      ['/settings/api-keys', name],
      ['/settings/audit-log', name],
    ] as const) {
      const page = await dashboard.open({ path });
      await page.getByText(shown).first().waitFor();
      expect([path, await attacked(page)]).toEqual([path, undefined]);
      expect(faultsOf(page)).toEqual([]);
    }
  });

  it('runs no script even when it gets into the page', async () => {
    const page = await dashboard.open();
    const refused = page.waitForEvent('console', (message) =>
      message.text().includes('Content Security Policy'),
    );
    await page.evaluate(`
      document.body.insertAdjacentHTML('beforeend', '<img src="/nothing" onerror="window.attacked=1">');
      const script = document.createElement('script');
      script.textContent = 'window.attacked=1';
      document.body.append(script);`);
    await refused;
    expect(await attacked(page)).toBeUndefined();
  });
});
