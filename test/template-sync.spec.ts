import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountsService } from '../src/accounts/accounts.service.js';
import { DEMO } from '../src/embedded/demo.js';
import { TemplateSyncService } from '../src/templates/template-sync.service.js';
import { TemplateStore } from '../src/templates/template.store.js';
import { startTestService, type TestService } from './support/service.js';

describe('Syncing templates', () => {
  let service: TestService;
  let account: { id: string; tenantId: string };
  let sync: TemplateSyncService;

  beforeAll(async () => {
    service = await startTestService();
    account = (await service.app.get(AccountsService, { strict: false }).secretsOfWaba(DEMO.wabaId))!;
    sync = service.app.get(TemplateSyncService, { strict: false });
  });
  afterAll(() => service.stop());

  const names = async () => {
    const list = await service.api.get(`/api/v1/templates?messaging_account_id=${DEMO.numbers[0].apiId}`);
    return (list.body.data as unknown as { name: string }[]).map((template) => template.name);
  };

  const template = (name: string) => ({
    name,
    language: 'en_US',
    category: 'UTILITY' as const,
    status: 'APPROVED',
    components: [{ type: 'BODY' as const, text: 'A text.' }],
  });

  it('changes nothing when nothing has changed', async () => {
    expect(await sync.sync(account.id)).toEqual({ created: 0, updated: 0, removed: 0 });
  });

  it('counts what is created, updated and removed', async () => {
    const store = service.app.get(TemplateStore, { strict: false });
    const result = await store.replaceAll(
      account,
      [{ id: '1', ...template('only_one') }],
      service.clock.now(),
    );
    expect(result).toMatchObject({ created: 1, updated: 0 });
    expect(await names()).toEqual(['only_one']);
    expect(await sync.sync(account.id)).toMatchObject({ updated: 0, removed: 1 });
  });

  it('reads the list again when a sync is already under way, once for all callers', async () => {
    const running = sync.sync(account.id);
    service.sandbox.addTemplate(DEMO.wabaId, template('added_meanwhile'));
    const [second, third] = await Promise.all([sync.sync(account.id), sync.sync(account.id)]);
    expect(second).toBe(third);
    await running;
    expect(await names()).toContain('added_meanwhile');
  });

  it('keeps of a text what PostgreSQL can store', async () => {
    const components = [{ type: 'BODY' as const, text: 'A\u0000 text with half of \ud83d a pair.' }];
    service.sandbox.addTemplate(DEMO.wabaId, { ...template('odd_text'), components });
    expect(await sync.sync(account.id)).toMatchObject({ created: 1 });
    expect(await names()).toContain('odd_text');
  });

  it('does not let an older list undo a newer one', async () => {
    const store = service.app.get(TemplateStore, { strict: false });
    const before = await names();
    const old = new Date(service.clock.now().getTime() - 60_000);
    expect(await store.replaceAll(account, [], old)).toEqual({ created: 0, updated: 0, removed: 0 });
    expect(await names()).toEqual(before);
  });
});
