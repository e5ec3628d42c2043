import { beforeEach, describe, expect, it } from '@jest/globals';
import { AccountsService } from '../src/accounts/accounts.service.js';
import { DEMO } from '../src/embedded/demo.js';
import { HoldsService } from '../src/outbox/holds/holds.service.js';
import { ProviderClient } from '../src/provider/provider.client.js';
import type { WireTemplate } from '../src/provider/wire.js';
import { exampleNumber, RECIPIENTS } from '../src/sandbox/recipients.js';
import { TemplateStore } from '../src/templates/template.store.js';
import { TemplateSyncService } from '../src/templates/template-sync.service.js';
import { eventually } from './support/eventually.js';
import { useTestService } from './support/test-service.js';
import { deliver } from './support/webhooks.js';

const SECOND = 1_000;

const service = useTestService();
const get = <Part>(part: new (...args: never[]) => Part) => service().app.get<Part>(part, { strict: false });
const account = async () => (await get(AccountsService).secretsOfWaba(DEMO.wabaId))!;

/** A new template of each test, as one may end for good. */
let template = '';
let made = 0;
beforeEach(async () => {
  template = `news_${(made += 1)}`;
  service().sandbox.addTemplate(DEMO.wabaId, {
    name: template,
    language: 'en_US',
    category: 'MARKETING',
    status: 'APPROVED',
    components: [{ type: 'BODY', text: 'News for {{1}} today.' }],
  });
  await get(TemplateSyncService).sync((await account()).id);
});

async function send(recipient: string): Promise<number> {
  const number = exampleNumber(RECIPIENTS.find(({ name }) => name === recipient)!);
  const answer = await service().api.send(number, { data: { name: template, params: ['Amal'] } });
  expect(answer.status).toBe(202);
  return answer.body.data['message_log_id'];
}

const expectRecord = (id: number, expected: Record<string, unknown>) =>
  eventually(async () => expect(await service().api.message(id)).toMatchObject(expected));

/** The hold on the template; undefined where there is none. */
async function hold() {
  const open = await get(HoldsService).list();
  return open.find(({ scope }) => scope === 'template');
}

/** Two messages that wait: the first was refused, as the provider says that the template is paused. */
async function heldMessages(): Promise<[tried: number, waiting: number]> {
  const tried = await send('template_paused');
  await eventually(async () => expect(await hold()).toMatchObject({ error: { code: 132015 } }));
  const waiting = await send('read');
  await expectRecord(waiting, { status: 'queued', attempts: 0 });
  return [tried, waiting];
}

/** The provider's status of the template, told by a webhook. */
const tell = (event: string) =>
  deliver(service(), [
    DEMO.wabaId,
    'message_template_status_update',
    { event, message_template_name: template, message_template_language: 'en_US' },
  ]);

/** Takes over the provider's list, changed. */
async function sync(change: (listed: WireTemplate[]) => WireTemplate[]): Promise<void> {
  const of = await account();
  const listed = await get(ProviderClient).listTemplates(of, of.wabaId);
  await get(TemplateStore).replaceAll(of, change(listed), service().clock.now());
}

const withStatus = (status: string) => (listed: WireTemplate[]) =>
  listed.map((each) => (each.name === template ? { ...each, status } : each));

/** Until the workers have looked at holds after the clock was moved, with a probe that may have been due. */
async function moveOn(seconds: number): Promise<void> {
  service().clock.forward(seconds * SECOND);
  await eventually(async () => {
    const next = (await hold())?.nextProbeAt.getTime() ?? 0;
    expect(next - service().clock.now().getTime()).toBeGreaterThan(20 * SECOND);
  });
}

describe('A hold on a template', () => {
  it.each(['REJECTED', 'DISABLED', 'DELETED'])(
    'ends when the template is %s: its messages fail, and are refunded',
    async (event) => {
      const messages = await heldMessages();
      service().sandbox.control.setTemplateStatus(template, event);
      for (const id of messages) await expectRecord(id, { status: 'failed' });
      expect(await hold()).toBeUndefined();
      const refunds = await service().database.run(
        {
          name: '',
          text: `SELECT FROM ledger_entries WHERE kind = 'refund' AND message_log_id = ANY($1::bigint[])`,
        },
        [messages],
      );
      expect(refunds).toHaveLength(2);
    },
  );

  it('goes on while the template is under review, and no message is lost by trying it', async () => {
    const messages = await heldMessages();
    service().sandbox.control.setTemplateStatus(template, 'PENDING');
    await eventually(async () => {
      const answer = await service().api.send('+12025550100', { data: { name: template, params: ['Amal'] } });
      expect(answer.body.error.code).toBe('TEMPLATE_NOT_FOUND');
    });
    for (let i = 0; i < 6; i += 1) await moveOn(15);
    await expectRecord(messages[0], { status: 'queued', attempts: 1 });
    await expectRecord(messages[1], { status: 'queued', attempts: 0 });
    service().sandbox.control.setTemplateStatus(template, 'APPROVED');
    for (const id of messages) await expectRecord(id, { status: 'read' });
  });

  it.each(['FLAGGED', 'LOCKED'])('goes on after %s, which changes no status', async (event) => {
    const messages = await heldMessages();
    const open = await hold();
    await tell(event);
    await eventually(async () => {
      const [row] = await service().database.run(
        { name: '', text: 'SELECT provider_status FROM templates WHERE name = $1' },
        [template],
      );
      expect(row).toEqual({ provider_status: event });
    });
    await get(HoldsService).settleTemplates();
    expect(await hold()).toMatchObject({ id: open!.id });
    await tell('APPROVED');
    for (const id of messages) await expectRecord(id, { status: 'read' });
  });

  it.each([
    ['is there no more', (listed: WireTemplate[]) => listed.filter(({ name }) => name !== template)],
    ['has been disabled', withStatus('DISABLED')],
  ])('ends when the list shows that the template %s', async (_what, change) => {
    const messages = await heldMessages();
    await sync(change);
    for (const id of messages) await expectRecord(id, { status: 'read' }); // the sandbox knows nothing of it
    expect(await hold()).toBeUndefined();
  });

  it('ends when the list shows that the template is approved again', async () => {
    const messages = await heldMessages();
    await sync(withStatus('PAUSED'));
    const open = await hold();
    await get(HoldsService).settleTemplates();
    expect(await hold()).toMatchObject({ id: open!.id });
    await sync(withStatus('APPROVED'));
    for (const id of messages) await expectRecord(id, { status: 'read' });
  });
});
