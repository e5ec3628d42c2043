import { describe, expect, it } from '@jest/globals';
import { HoldsService } from '../src/outbox/holds/holds.service.js';
import { MessageStatsService } from '../src/statistics/message-stats.service.js';
import { TemplateSyncService } from '../src/templates/template-sync.service.js';
import { CampaignsApi, MAPPING, phoneOf, recipientsCsv } from './support/campaigns.js';
import { text } from './support/api.js';
import { copiesOf, tagOf } from './support/copies.js';
import { dashboardApi } from './support/dashboard-api.js';
import { eventually } from './support/eventually.js';
import { type Clone, cloneOf, moveTo } from './support/moves.js';
import { useTestService } from './support/test-service.js';
import { addTenant, template, type TestTenant } from './support/tenants.js';
import { deliver } from './support/webhooks.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const ROWS = 30;

/** The last digits of recipients of the sandbox, with their meanings. */
const READ = '0100';
const SENT_ONLY = '0102';
const SLOW = '0130';
const TEMPLATE_PAUSED = '0150';

const service = useTestService({}, { limits: false, slowDelay: 1_500 });

const TEMPLATES = [
  template('order_update', 'Hello {{1}}, your order {{2}} is on its way.'),
  template('news', 'There is news.'),
  template('paused_once', 'This one is paused for a while.'),
  template('left_behind', 'The clone has no such template.'),
];

let phones = 14_155_551_000;
let recipients = 100;

const newTenant = () =>
  addTenant(service(), { phones: [String((phones += 1)), String((phones += 1))], templates: TEMPLATES });

const phone = (suffix: string) => `+4930${(recipients += 1)}${suffix}`;

async function send(tenant: TestTenant, name: string, suffix: string, changes: object = {}): Promise<number> {
  const message = { messaging_account_id: tenant.accounts[0], message_type: 'template', data: { name } };
  const body = { ...message, phone: phone(suffix), ...changes };
  const answer = await tenant.api.post('/api/v1/messages/send', body);
  expect(answer).toMatchObject({ status: 202 });
  return answer.body.data['message_log_id'];
}

const inHours = (hours: number) => ({
  scheduled_at: new Date(service().clock.now().getTime() + hours * HOUR).toISOString(),
  timezone: 'UTC',
});

const expectMessage = (tenant: TestTenant, id: number, expected: object) =>
  eventually(async () => expect(await tenant.api.message(id)).toMatchObject(expected));

const sql = (query: string, values: unknown[] = []) =>
  service().database.run<Record<string, any>>({ name: '', text: query }, values);

const sync = ({ businessAccountId }: Clone) =>
  service().app.get(TemplateSyncService, { strict: false }).sync(businessAccountId);

async function phoneNumberIdOf({ accounts }: TestTenant): Promise<string> {
  const [row] = await sql('SELECT phone_number_id FROM messaging_accounts WHERE api_id = $1', [accounts[0]]);
  return row!['phone_number_id'];
}

const move = (tenant: TestTenant, to: Clone) => moveTo(service(), tenant, to);

const holdsService = () => service().app.get(HoldsService, { strict: false });

const holds = async ({ id }: TestTenant) =>
  (await holdsService().list()).filter(({ tenantId }) => tenantId === id);

/** Delivers a receipt under a business account, as the provider writes it. */
async function deliverReceipt(tenant: TestTenant, wabaId: string, id: number, status: string) {
  const [copy] = copiesOf(service(), id);
  const timestamp = String(Math.floor(service().clock.now().getTime() / 1_000));
  const receipt = { id: copy!.wamid, status, timestamp, recipient_id: copy!.to };
  const answer = await deliver(service(), [
    wabaId,
    'messages',
    {
      messaging_product: 'whatsapp',
      metadata: { display_phone_number: '1', phone_number_id: await phoneNumberIdOf(tenant) },
      statuses: [{ ...receipt, biz_opaque_callback_data: await tagOf(service(), id) }],
    },
  ]);
  expect(answer.status).toBe(200);
}

/** Starts a campaign of the tenant's first number. */
async function startCampaign(tenant: TestTenant): Promise<[CampaignsApi, number]> {
  const campaigns = new CampaignsApi(await dashboardApi(service(), 'editor', { tenantId: tenant.id }));
  const created = await campaigns.create({ messaging_account_id: tenant.accounts[0] });
  const id = created.body.data['campaign_id'] as number;
  await campaigns.upload(id, recipientsCsv(ROWS));
  await campaigns.edit(id, { mapping: MAPPING });
  await campaigns.act(id, 'check');
  expect(await campaigns.start(id)).toMatchObject({ status: 200 });
  return [campaigns, id];
}

describe('A number that moves to a clone of its business account', () => {
  it('loses nothing and sends nothing twice, whether messages wait, are scheduled, held, under way or of a campaign', async () => {
    const tenant = await newTenant();
    const { sandbox, clock } = service();
    const held = await send(tenant, 'paused_once', TEMPLATE_PAUSED);
    await eventually(async () => expect(await holds(tenant)).toMatchObject([{ scope: 'template' }]));
    const underWay = await send(tenant, 'news', SLOW);
    await eventually(() => expect(copiesOf(service(), underWay)).toHaveLength(1));
    sandbox.control.revokeToken(tenant.wabaId); // from here on, all messages wait
    const waiting = [];
    for (let i = 0; i < 5; i += 1) waiting.push(await send(tenant, 'news', READ));
    const scheduled = await send(tenant, 'news', READ, inHours(3));
    const leftBehind = await send(tenant, 'left_behind', READ);
    const [campaigns, campaignId] = await startCampaign(tenant);
    await eventually(async () => {
      const [row] = await sql('SELECT count(*) FROM message_logs WHERE campaign_id = $1', [campaignId]);
      expect(row).toEqual({ count: ROWS });
      expect(await holds(tenant)).toContainEqual(expect.objectContaining({ scope: 'business_account' }));
    });

    const clone = await cloneOf(service(), tenant, ['left_behind']);
    const result = await move(tenant, clone);
    const bound = ROWS + waiting.length + [held, scheduled].length;
    expect(result).toEqual({ bound, unbound: 1 });

    for (const id of [...waiting, held, underWay]) await expectMessage(tenant, id, { status: 'read' });
    await eventually(async () =>
      expect(await campaigns.get(campaignId)).toMatchObject({ status: 'finished' }),
    );
    expect(await tenant.api.message(scheduled)).toMatchObject({ status: 'scheduled' });
    clock.forward(3 * HOUR);
    await expectMessage(tenant, scheduled, { status: 'read' });
    expect(await tenant.api.message(leftBehind)).toMatchObject({ status: 'queued' });

    for (const id of [...waiting, held, scheduled]) {
      expect(copiesOf(service(), id)).toMatchObject([{ waba_id: clone.wabaId }]);
    }
    expect(copiesOf(service(), underWay)).toMatchObject([{ waba_id: tenant.wabaId }]);
    expect(copiesOf(service(), leftBehind)).toEqual([]);
    const rows = await sql('SELECT id, phone FROM message_logs WHERE campaign_id = $1', [campaignId]);
    expect(rows.map(({ phone: to }) => `+${to}`).toSorted()).toEqual(
      Array.from({ length: ROWS }, (_, i) => phoneOf(i)).toSorted(),
    );
    for (const { id } of rows) {
      expect(copiesOf(service(), id)).toHaveLength(1);
      await expectMessage(tenant, id, { status: 'read' });
    }
  });

  it('sends a message once when its call is under way during the move', async () => {
    const tenant = await newTenant();
    const clone = await cloneOf(service(), tenant);
    service().sandbox.control.setFault({ mode: 'slow', delay: 4_000 });
    const id = await send(tenant, 'news', READ);
    await expectMessage(tenant, id, { status: 'sending' });
    service().sandbox.control.setFault({ mode: 'none' });
    await move(tenant, clone);
    await expectMessage(tenant, id, { status: 'read' });
    expect(copiesOf(service(), id)).toHaveLength(1);
    await eventually(async () => expect(await holds(tenant)).toEqual([]));
  });

  it('keeps its key and its id, and sends with the templates of the new account', async () => {
    const tenant = await newTenant();
    const clone = await cloneOf(service(), tenant);
    await move(tenant, clone);
    const id = await send(tenant, 'order_update', READ, {
      data: {
        name: 'order_update',
        components: [{ type: 'body', parameters: [text('Amal'), text('A-1')] }],
      },
    });
    await expectMessage(tenant, id, { status: 'read', messaging_account_id: tenant.accounts[0] });
    expect(copiesOf(service(), id)).toMatchObject([{ waba_id: clone.wabaId }]);
  });

  it('gets receipts under both accounts for thirty days', async () => {
    const tenant = await newTenant();
    const [first, second, late] = [
      await send(tenant, 'news', SENT_ONLY),
      await send(tenant, 'news', SENT_ONLY),
      await send(tenant, 'news', SENT_ONLY),
    ];
    for (const id of [first, second, late]) await expectMessage(tenant, id, { status: 'sent' });
    const clone = await cloneOf(service(), tenant);
    await move(tenant, clone);
    await deliverReceipt(tenant, tenant.wabaId, first, 'delivered');
    await expectMessage(tenant, first, { status: 'delivered' });
    const stranger = await newTenant();
    await deliverReceipt(tenant, stranger.wabaId, second, 'read');
    await deliverReceipt(tenant, clone.wabaId, second, 'delivered');
    await expectMessage(tenant, second, { status: 'delivered' });

    service().clock.forward(30 * DAY);
    await deliverReceipt(tenant, tenant.wabaId, late, 'read');
    await deliverReceipt(tenant, clone.wabaId, late, 'delivered');
    await expectMessage(tenant, late, { status: 'delivered', read_at: null });
  });

  it('holds messages whose template is missing, says so, and releases them when a sync finds it', async () => {
    const tenant = await newTenant();
    const clone = await cloneOf(service(), tenant, ['left_behind']);
    const [soon, later] = [
      await send(tenant, 'left_behind', READ, inHours(1)),
      await send(tenant, 'left_behind', READ, inHours(500)),
    ];
    expect(await move(tenant, clone)).toMatchObject({ bound: 0, unbound: 2 });
    const hold = {
      scope: 'template',
      cause: 'template_missing',
      error: { title: 'There is no such template' },
    };
    expect(await holds(tenant)).toMatchObject([hold]);
    const owner = await dashboardApi(service(), 'owner', { tenantId: tenant.id });
    expect((await owner.get('/dashboard/api/numbers')).body.data).toMatchObject({
      holds: [
        {
          ...hold,
          held: 2,
          next_probe_at: null,
          business_account_id: clone.businessAccountId,
          template: { name: 'left_behind' },
        },
      ],
    });
    expect((await owner.get(`/dashboard/api/messages/${soon}`)).body.data).toMatchObject({
      hold: { cause: 'template_missing' },
    });
    service().clock.forward(HOUR);
    await expectMessage(tenant, soon, { status: 'queued', attempts: 0 });

    service().sandbox.addTemplate(clone.wabaId, TEMPLATES[3]!);
    await sync(clone);
    await expectMessage(tenant, soon, { status: 'read' });
    expect(copiesOf(service(), soon)).toHaveLength(1);
    expect(await tenant.api.message(later)).toMatchObject({ status: 'scheduled' });
    expect(await holds(tenant)).toEqual([]);
  });

  it('can have its hold lifted by hand, so that the provider decides', async () => {
    const tenant = await newTenant();
    const clone = await cloneOf(service(), tenant, ['left_behind']);
    const id = await send(tenant, 'left_behind', READ, inHours(1));
    await move(tenant, clone);
    service().clock.forward(HOUR);
    const [hold] = await holds(tenant);
    await holdsService().lift(hold!.id, 'dashboard');
    await expectMessage(tenant, id, { status: 'failed', error: { code: 132001 } });
  });

  it('sends nothing with a template of the former account when a message under way has to be tried again', async () => {
    const tenant = await newTenant();
    const clone = await cloneOf(service(), tenant, ['left_behind']);
    const [there, missing] = [
      await send(tenant, 'news', READ, inHours(1)),
      await send(tenant, 'left_behind', READ, inHours(1)),
    ];
    const paused = await send(tenant, 'paused_once', READ, inHours(1));
    const comeBack = [there, missing, paused];
    await sql(`UPDATE outbox SET resolve_at = 'infinity' WHERE message_log_id = ANY($1)`, [comeBack]);
    const held = await send(tenant, 'paused_once', TEMPLATE_PAUSED);
    await eventually(async () => expect(await holds(tenant)).toMatchObject([{ scope: 'template' }]));
    // The hold is there before the message is put back, and claimed once more to be put under the hold.
    const isHeld = 'SELECT FROM outbox WHERE message_log_id = $1 AND held_by IS NOT NULL';
    await eventually(async () => expect(await sql(isHeld, [held])).toHaveLength(1));
    expect(await move(tenant, clone)).toMatchObject({ bound: 1, unbound: 0 });
    await sql(
      `WITH log AS (UPDATE message_logs SET scheduled_at = $2 WHERE id = ANY($1))
       UPDATE outbox SET resolve_at = NULL, due_at = $2 WHERE message_log_id = ANY($1)`,
      [comeBack, service().clock.now()],
    );
    await expectMessage(tenant, there, { status: 'read', attempts: 1 });
    await expectMessage(tenant, paused, { status: 'read', attempts: 1 });
    await eventually(async () =>
      expect(await holds(tenant)).toContainEqual(expect.objectContaining({ cause: 'template_missing' })),
    );
    await expectMessage(tenant, missing, { status: 'queued', attempts: 0 });
    expect(copiesOf(service(), missing)).toEqual([]);
  });

  it('waits, and fails nothing, after the provider has moved it and before the service knows', async () => {
    const tenant = await newTenant();
    const clone = await cloneOf(service(), tenant);
    service().sandbox.control.moveNumber(await phoneNumberIdOf(tenant), clone.wabaId);
    const id = await send(tenant, 'news', READ);
    await eventually(async () => expect(await holds(tenant)).toMatchObject([{ scope: 'number' }]));
    expect(await move(tenant, clone)).toMatchObject({ bound: 1 });
    await expectMessage(tenant, id, { status: 'read' });
    await eventually(async () => expect(await holds(tenant)).toEqual([]));
  });

  it('has its messages counted once, under their new template', async () => {
    const tenant = await newTenant();
    const stats = service().app.get(MessageStatsService, { strict: false });
    const count = async () => {
      await stats.recount(new Date(service().clock.now().getTime() - HOUR), service().clock.now());
      return sql(
        `SELECT t.business_account_id AS account, s.accepted FROM message_stats s JOIN templates t ON t.id = s.template_id
         WHERE s.tenant_id = $1 AND s.accepted > 0`,
        [tenant.id],
      );
    };
    await send(tenant, 'news', READ, inHours(500));
    expect(await count()).toEqual([{ account: tenant.businessAccountId, accepted: 1 }]);
    const clone = await cloneOf(service(), tenant);
    await move(tenant, clone);
    expect(await count()).toEqual([{ account: clone.businessAccountId, accepted: 1 }]);
  });

  it('pauses a campaign whose template has other content there, and says why', async () => {
    const tenant = await newTenant();
    service().sandbox.control.revokeToken(tenant.wabaId);
    const campaigns = new CampaignsApi(await dashboardApi(service(), 'editor', { tenantId: tenant.id }));
    const id = await campaigns.ready(recipientsCsv(ROWS), { messaging_account_id: tenant.accounts[0] });
    await campaigns.start(id, inHours(1));
    const clone = await cloneOf(service(), tenant, ['order_update']);
    service().sandbox.addTemplate(
      clone.wabaId,
      template('order_update', 'Order {{2}} of {{1}}: it is late.'),
    );
    await move(tenant, clone);
    service().clock.forward(HOUR);
    await eventually(async () =>
      expect(await campaigns.get(id)).toMatchObject({
        status: 'paused',
        accepted_count: 0,
        cause: { code: 'TEMPLATE_CHANGED' },
      }),
    );
  });
});
