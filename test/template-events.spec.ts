import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DEMO } from '../src/embedded/demo.js';
import { EventStream } from '../src/messages/events/event-stream.service.js';
import type { Position } from '../src/events/position.js';
import type { WireTemplate } from '../src/provider/wire.js';
import { TemplateStore } from '../src/templates/template.store.js';
import { TemplateSyncService } from '../src/templates/template-sync.service.js';
import { eventually } from './support/eventually.js';
import { addTenant, template as wireTemplate } from './support/tenants.js';
import { useTestService } from './support/test-service.js';
import { ToldUpdates } from './support/told-updates.js';
import { untilStreamIsWhole } from './support/whole-stream.js';

const service = useTestService();
const told = new ToldUpdates(service);
const OURS = { template: { name: 'order_update', language: 'en_US' }, waba_id: DEMO.wabaId };

let account: { id: string; tenantId: string };
let template: { id: number; provider_template_id: string };
beforeAll(async () => {
  [account] = (await told.run<typeof account>(
    'SELECT id, tenant_id AS "tenantId" FROM business_accounts WHERE waba_id = $1',
    [DEMO.wabaId],
  )) as [typeof account];
  [template] = (await told.run<typeof template>(
    `SELECT id, provider_template_id FROM templates WHERE name = 'order_update' AND language = 'en_US'`,
  )) as [typeof template];
});

/** Up to where the test has read. */
let position: Position | null = null;
const TYPES = ['template.status', 'template.category', 'template.quality', 'template.content'] as const;
const read = async () => {
  await untilStreamIsWhole(service());
  return service()
    .app.get(EventStream, { strict: false })
    .read(service().tenantId, position, { limit: 1_000, types: TYPES });
};
beforeEach(async () => {
  await sync();
  position = (await read()).next;
});

/** What was told since the test began, once there are as many events. */
const expectTold = (...events: object[]) =>
  eventually(async () => {
    const found = (await read()).events;
    expect(found.map(({ type, data }) => ({ type, ...data }))).toEqual(events);
    return found;
  });
const sync = () => service().app.get(TemplateSyncService, { strict: false }).sync(account.id);
const webhook = (field: string, value: object) =>
  told.tell(field, {
    message_template_id: template.provider_template_id,
    message_template_name: 'order_update',
    message_template_language: 'en_US',
    ...value,
  });
const openKinds = async () =>
  (await told.alerts()).map(({ kind }) => kind).filter((kind) => kind.startsWith('template_'));

describe('A webhook', () => {
  it('that pauses a template is told and alerted once, until the template is approved again', async () => {
    await webhook('message_template_status_update', {
      event: 'PAUSED',
      other_info: { title: 'FIRST_PAUSE' },
    });
    await webhook('message_template_status_update', {
      event: 'PAUSED',
      other_info: { title: 'FIRST_PAUSE' },
    });
    const paused = { type: 'template.status', ...OURS, status: 'PAUSED', previous: 'APPROVED' };
    const [event] = await expectTold({ ...paused, reason: 'FIRST_PAUSE' });
    expect(Date.parse(event!.occurred_at) % 1_000).toBe(0); // the provider's time
    expect(await told.alerts()).toMatchObject([
      { kind: 'template_paused', severity: 'error', times: 1, text: expect.stringContaining('FIRST_PAUSE') },
    ]);
    await webhook('message_template_status_update', { event: 'APPROVED' });
    await expectTold(
      { ...paused, reason: 'FIRST_PAUSE' },
      { type: 'template.status', ...OURS, status: 'APPROVED', previous: 'PAUSED', reason: null },
    );
    expect(await openKinds()).toEqual([]);
  });

  it('that flags a template, whose status stays, tells nothing', async () => {
    await webhook('message_template_status_update', { event: 'FLAGGED' });
    await webhook('message_template_status_update', { event: 'APPROVED' });
    await expectTold();
  });

  it('of another quality is told, and of the same one is not', async () => {
    await webhook('message_template_quality_update', { new_quality_score: 'RED' });
    await webhook('message_template_quality_update', { new_quality_score: 'RED' });
    await expectTold({ type: 'template.quality', ...OURS, quality: 'RED', previous: null });
  });

  it('of another category is told and alerted', async () => {
    await webhook('template_category_update', { new_category: 'MARKETING', previous_category: 'UTILITY' });
    await expectTold({ type: 'template.category', ...OURS, category: 'MARKETING', previous: 'UTILITY' });
    const alert = (await told.alerts()).find(({ kind }) => kind === 'template_recategorised');
    expect(alert).toMatchObject({ severity: 'warning', may_dismiss: true });
    expect(alert!['text']).toContain('was UTILITY and is MARKETING now');
  });
});

describe('A list of the provider', () => {
  const BODY = { type: 'BODY' as const, text: 'Hello.' };
  const listed = (id: string, name: string, others: Partial<WireTemplate> = {}): WireTemplate => ({
    ...wireTemplate(name, 'Hello.', others),
    id,
  });
  const OTHERS = [
    wireTemplate('one', 'Hello.'),
    wireTemplate('two', 'Hello.'),
    wireTemplate('three', 'Hello.'),
  ];

  it('that changes nothing tells nothing, nor does the first one of an account', async () => {
    const { id, businessAccountId } = await addTenant(service(), { templates: OTHERS });
    await service().app.get(TemplateSyncService, { strict: false }).sync(businessAccountId);
    expect(await toldTo(id)).toEqual([]);
  });

  it('tells what is another, what is new and what is gone, once', async () => {
    const { id, businessAccountId, wabaId } = await addTenant(service(), { templates: OTHERS });
    const list = [
      listed('1', 'one', { status: 'REJECTED', rejected_reason: 'ABUSIVE_CONTENT', category: 'MARKETING' }),
      listed('2', 'two', { components: [{ ...BODY, text: 'Hello, {{1}}.' }] }),
      listed('4', 'four', { status: 'PENDING' }),
    ];
    await replace(id, businessAccountId, list);
    await replace(id, businessAccountId, list);
    const of = (name: string) => ({ waba_id: wabaId, template: { name, language: 'en_US' } });
    const version = expect.stringMatching(/^[0-9a-f]{32}$/);
    expect(await toldTo(id)).toEqual([
      { type: 'template.status', ...of('four'), status: 'PENDING', previous: null, reason: null },
      { type: 'template.category', ...of('one'), category: 'MARKETING', previous: 'UTILITY' },
      {
        type: 'template.status',
        ...of('one'),
        status: 'REJECTED',
        previous: 'APPROVED',
        reason: 'ABUSIVE_CONTENT',
      },
      { type: 'template.status', ...of('three'), status: 'DELETED', previous: 'APPROVED', reason: null },
      { type: 'template.content', ...of('two'), version, previous: version },
    ]);
    const alerts = await told.run(
      'SELECT kind, severity FROM alerts WHERE tenant_id = $1 AND ended_at IS NULL ORDER BY kind',
      [id],
    );
    expect(alerts).toEqual([
      { kind: 'template_recategorised', severity: 'warning' },
      { kind: 'template_rejected', severity: 'warning' },
    ]);
  });

  it('with another address of a sample tells nothing', async () => {
    const sample = (url: string) => ({
      type: 'HEADER' as const,
      format: 'IMAGE' as const,
      example: { header_handle: [url] },
    });
    const before = [sample('https://cdn.example.com/1'), BODY];
    const { id, businessAccountId } = await addTenant(service(), {
      templates: [wireTemplate('one', before)],
    });
    const after = [sample('https://cdn.example.com/2'), BODY];
    await replace(id, businessAccountId, [listed('1', 'one', { components: after })]);
    expect(await toldTo(id)).toEqual([]);
  });

  const replace = (tenantId: string, id: string, list: WireTemplate[]) =>
    service()
      .app.get(TemplateStore, { strict: false })
      .replaceAll({ id, tenantId }, list, service().clock.now());
  const toldTo = async (tenantId: string) => {
    await untilStreamIsWhole(service());
    const { events } = await service()
      .app.get(EventStream, { strict: false })
      .read(tenantId, null, { limit: 1_000, types: TYPES });
    return events.map(({ type, data }) => ({ type, ...data }));
  };
});

it('A template that is deleted here is told as DELETED', async () => {
  const store = service().app.get(TemplateStore, { strict: false });
  await store.remove(account.id, template.id);
  await store.remove(account.id, template.id);
  const status = { status: 'DELETED', previous: 'APPROVED', reason: null };
  await expectTold({ type: 'template.status', ...OURS, ...status });
});
