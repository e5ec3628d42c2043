import { beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AccountsService } from '../src/accounts/accounts.service.js';
import { DEMO } from '../src/embedded/demo.js';
import { ProviderClient } from '../src/provider/provider.client.js';
import { CategoryChangesService } from '../src/templates/category-changes.service.js';
import { TemplateStore } from '../src/templates/template.store.js';
import { TemplateSyncService } from '../src/templates/template-sync.service.js';
import { dashboardApi } from './support/dashboard-api.js';
import { useTestService } from './support/test-service.js';
import { ToldUpdates } from './support/told-updates.js';

const service = useTestService();
const told = new ToldUpdates(service);
const waba = DEMO.wabaId;

describe('message_template_status_update', () => {
  const name = { message_template_name: 'order_receipt', message_template_language: 'en-US' };
  const event = (what: string) =>
    told.tell('message_template_status_update', { ...name, event: what, reason: 'NONE' });

  const status = async () => {
    const [row] = await told.run<{ status: string; provider_status: string }>(
      `SELECT status, provider_status FROM templates WHERE name = 'order_receipt' AND language = 'en_US'`,
    );
    return row!.status;
  };

  /** Runs the work while the provider's list cannot be read, so that the webhooks alone decide. */
  const withoutList = async (work: () => Promise<void>) => {
    service().sandbox.control.revokeToken(waba);
    await work();
    service().sandbox.control.restoreToken(waba);
  };

  it.each([
    ['APPROVED', 'APPROVED'],
    ['PAUSED', 'PAUSED'],
    ['REJECTED', 'REJECTED'],
  ])('with UNARCHIVED restores a template that was %s before', async (before, after) => {
    await withoutList(async () => {
      await event(before);
      await event('ARCHIVED');
      expect(await status()).toBe('DISABLED');
      await event('LOCKED'); // changes no status
      await event('UNARCHIVED');
      expect(await status()).toBe(after);
      await event('UNARCHIVED');
      expect(await status()).toBe(after);
    });
  });

  it('with UNARCHIVED leaves a template as it is when its former status is not known', async () => {
    await withoutList(async () => {
      await event('DISABLED');
      await event('UNARCHIVED');
      expect(await status()).toBe('DISABLED');
    });
  });

  it('with LOCKED leaves a template as it is', async () => {
    await withoutList(async () => {
      for (const before of ['APPROVED', 'PAUSED']) {
        await event(before);
        await event('LOCKED');
        expect(await status()).toBe(before);
      }
    });
  });

  it.each(['LOCKED', 'UNARCHIVED'])('with %s makes the service read the provider’s list', async (what) => {
    const refresh = jest.spyOn(service().app.get(TemplateSyncService, { strict: false }), 'refresh');
    await event(what);
    const account = await service().app.get(AccountsService, { strict: false }).secretsOfWaba(waba);
    expect(refresh).toHaveBeenCalledWith(account!.id);
    refresh.mockRestore();
  });
});

describe('message_template_components_update', () => {
  it('makes the service read the provider’s list, which has all components', async () => {
    const refresh = jest.spyOn(service().app.get(TemplateSyncService, { strict: false }), 'refresh');
    await told.tell('message_template_components_update', {
      message_template_name: 'order_receipt',
      message_template_language: 'en_US',
      message_template_element: 'A new text.',
    });
    const account = await service().app.get(AccountsService, { strict: false }).secretsOfWaba(waba);
    expect(refresh).toHaveBeenCalledWith(account!.id);
    refresh.mockRestore();
  });
});

describe('message_template_quality_update', () => {
  it('counts no more when a later one was applied before', async () => {
    service().clock.forward(2_000);
    const now = Math.floor(service().clock.now().getTime() / 1_000);
    const quality = async (time: number, score: string) => {
      await told.tellAt(time, 'message_template_quality_update', {
        message_template_name: 'order_receipt',
        message_template_language: 'en_US',
        new_quality_score: score,
      });
      return (await told.dashboard('templates?search=order_receipt&language=en_US'))[0]!['quality'];
    };
    expect(await quality(now, 'RED')).toBe('RED');
    expect(await quality(now + 1, 'GREEN')).toBe('GREEN');
    expect(await quality(now, 'RED')).toBe('GREEN');
  });
});

describe('template_category_update', () => {
  const NAME = { message_template_name: 'shipping_delay', message_template_language: 'en_US' };
  const update = (fields: object) => told.tell('template_category_update', { ...NAME, ...fields });
  const warning = { new_category: 'UTILITY', correct_category: 'MARKETING' };

  async function shown(): Promise<Record<string, any> | undefined> {
    return (await told.dashboard('templates?search=shipping_delay&language=en_US'))[0];
  }
  const day = 24 * 3_600_000;

  beforeAll(() => {
    service().sandbox.addTemplate(waba, {
      name: 'shipping_delay',
      language: 'en_US',
      category: 'UTILITY',
      status: 'APPROVED',
      components: [{ type: 'BODY', text: 'Your parcel is late.' }],
    });
  });
  beforeEach(async () => {
    await told.forgetTrouble();
    const account = await service().app.get(AccountsService, { strict: false }).secretsOfWaba(waba);
    await service().app.get(TemplateSyncService, { strict: false }).sync(account!.id);
    await told.run(`UPDATE templates SET category = 'UTILITY' WHERE name = 'shipping_delay'`);
  });

  it('with a warning is shown with its day and raises an alert, which cannot be dismissed before that', async () => {
    await update(warning);
    const { category, category_change: change, template_id: id } = (await shown())!;
    expect({ category, to: change.category }).toEqual({ category: 'UTILITY', to: 'MARKETING' });
    const ahead = Date.parse(change.at) - service().clock.now().getTime();
    expect(Math.abs(ahead - day)).toBeLessThan(60_000);
    const [alert] = await told.alerts();
    expect(alert).toMatchObject({ kind: 'category_change', severity: 'warning', may_dismiss: false });
    expect(alert!['text']).toContain('shipping_delay (en_US)');
    const editor = await dashboardApi(service(), 'editor');
    expect((await editor.post(`/dashboard/api/alerts/${alert!['alert_id']}/dismiss`)).status).toBe(404);
    const detail = await editor.get(`/dashboard/api/templates/${id}`);
    expect(detail.body.data['category_change']).toEqual(change);

    await update({ previous_category: 'UTILITY', new_category: 'MARKETING' });
    expect(await shown()).toMatchObject({ category: 'MARKETING', category_change: null });
    expect((await told.alerts()).map(({ kind }) => kind)).toEqual(['template_recategorised']);
  });

  it('counts no more when a later one was applied before', async () => {
    service().clock.forward(10_000);
    const now = Math.floor(service().clock.now().getTime() / 1_000) - 8;
    const at = (time: number, fields: object) =>
      told.tellAt(time, 'template_category_update', { ...NAME, ...fields });
    await at(now, { new_category: 'MARKETING' });
    await at(now + 1, { new_category: 'UTILITY' });
    await at(now, { new_category: 'MARKETING' });
    expect(await shown()).toMatchObject({ category: 'UTILITY', category_change: null });
    await at(now + 3, { new_category: 'UTILITY', correct_category: 'UTILITY' });
    await at(now + 2, warning);
    expect(await shown()).toMatchObject({ category: 'UTILITY', category_change: null });
    await at(now + 4, warning);
    await at(now + 1, { new_category: 'UTILITY' });
    expect(await shown()).toMatchObject({ category_change: { category: 'MARKETING' } });
  });

  it('stays when a list comes that was asked for before it', async () => {
    const account = await service().app.get(AccountsService, { strict: false }).secretsOfWaba(waba);
    const listedAt = service().clock.now();
    const listed = await service().app.get(ProviderClient, { strict: false }).listTemplates(account!, waba);
    await update({ new_category: 'MARKETING' });
    await told.tell('message_template_quality_update', { ...NAME, new_quality_score: 'RED' });
    const store = service().app.get(TemplateStore, { strict: false });
    await store.replaceAll(account!, listed, listedAt);
    expect(await shown()).toMatchObject({ category: 'MARKETING', quality: 'RED' });
    service().clock.forward(2_000);
    await store.replaceAll(account!, listed, service().clock.now());
    expect(await shown()).toMatchObject({ category: 'UTILITY', quality: null });
  });

  it('is shown with the day that the provider names', async () => {
    const at = Math.floor(service().clock.now().getTime() / 1_000) + 7_200;
    await update({ ...warning, category_update_timestamp: at });
    expect(Date.parse((await shown())!['category_change'].at)).toBe(at * 1_000);
  });

  it('that names the present category withdraws the warning', async () => {
    await update(warning);
    await update({ new_category: 'UTILITY', correct_category: 'UTILITY' });
    expect(await shown()).toMatchObject({ category: 'UTILITY', category_change: null });
    expect(await told.alerts()).toEqual([]);
  });

  it('is over when the template has the new category, or still the old one a day later', async () => {
    const changes = service().app.get(CategoryChangesService, { strict: false });
    await update(warning);
    await changes.settle();
    expect(await told.alerts()).toHaveLength(1);
    await told.run(`UPDATE templates SET category = 'MARKETING' WHERE name = 'shipping_delay'`);
    await changes.settle();
    expect(await told.alerts()).toEqual([]);

    await told.run(`UPDATE templates SET category = 'UTILITY' WHERE name = 'shipping_delay'`);
    await update(warning);
    const synced = (hours: number) =>
      told.run(`UPDATE business_accounts SET templates_synced_at = $1 WHERE waba_id = $2`, [
        new Date(service().clock.now().getTime() + hours * 3_600_000),
        waba,
      ]);
    await synced(40);
    await changes.settle();
    expect(await told.alerts()).toHaveLength(1);
    await synced(50);
    await changes.settle();
    expect(await told.alerts()).toEqual([]);
    await synced(0);
  });
});
