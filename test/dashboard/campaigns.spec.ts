import { beforeAll, describe, expect, it } from '@jest/globals';
import { DEMO } from '../../src/embedded/demo.js';
import { CampaignExpiryService } from '../../src/campaigns/campaign-expiry.service.js';
import { AccountsService } from '../../src/accounts/accounts.service.js';
import type { SendMessageDto } from '../../src/messages/dto/send-message.dto.js';
import type { Position } from '../../src/events/position.js';
import { EventStream } from '../../src/messages/events/event-stream.service.js';
import { MessagesService } from '../../src/messages/messages.service.js';
import { OptOutsService } from '../../src/recipients/opt-outs.service.js';
import { CategoryChangesService } from '../../src/templates/category-changes.service.js';
import { TemplateStore } from '../../src/templates/template.store.js';
import { TemplatesService } from '../../src/templates/templates.service.js';
import { sendBody } from '../support/api.js';
import { CampaignsApi, FAST_NUMBER, MAPPING, phoneOf, recipientsCsv } from '../support/campaigns.js';
import { COMPONENT_TEMPLATES } from '../support/components.js';
import { dashboardApi } from '../support/dashboard-api.js';
import { eventually } from '../support/eventually.js';
import { fillOutbox } from '../support/outbox.js';
import { startSecondService } from '../support/service.js';
import { useTestService } from '../support/test-service.js';
import '../support/matchers.js';
import { addTenant, template } from '../support/tenants.js';
import { untilStreamIsWhole } from '../support/whole-stream.js';

const HOUR = 3_600_000;

const service = useTestService({}, { limits: false });
let campaigns: CampaignsApi;
beforeAll(async () => {
  campaigns = new CampaignsApi(await dashboardApi(service(), 'editor'));
});

let statements = 0;
const sql = (text: string, values: unknown[] = []) =>
  service().database.run<Record<string, any>>({ name: `test_${(statements += 1)}`, text }, values);
const rowsOf = async (id: number, query = '') =>
  (await campaigns.api.get(`/dashboard/api/campaigns/${id}/rows${query}`)).body.data as any[];
/** The row of each message of a campaign, without automatic retries. */
const messagesOf = async (id: number) =>
  (
    await sql(
      'SELECT campaign_row FROM message_logs WHERE campaign_id = $1 AND retry_of IS NULL ORDER BY 1',
      [id],
    )
  ).map(({ campaign_row }) => campaign_row as number);
const statusOf = async (id: number) => (await campaigns.get(id))['status'];
/** Waits for a status. Its error names all figures, so that it waits on while any of them changes. */
const eventuallyIs = (id: number, status: string) =>
  eventually(async () => {
    const campaign = await campaigns.get(id);
    if (campaign['status'] !== status) throw new Error(`It is not ${status}: ${JSON.stringify(campaign)}`);
  });
/** The events of a campaign. */
const toldOf = async (id: number) => {
  await untilStreamIsWhole(service());
  const stream = service().app.get(EventStream, { strict: false });
  const types = ['campaign.started', 'campaign.paused', 'campaign.finished'] as const;
  const told: [string, Record<string, unknown>][] = [];
  for (let after: Position | null = null, isEnd = false; !isEnd;) {
    const { events, next, readTo } = await stream.read(service().tenantId, after, { limit: 1_000, types });
    const own = events.filter(({ data }) => data['campaign_id'] === id);
    told.push(...own.map(({ type, data }): [string, Record<string, unknown>] => [type, data]));
    [after, isEnd] = [next, readTo !== null];
  }
  return told;
};
const from = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i);
const setTemplate = async (name: string, change: string) => {
  await sql(`UPDATE templates SET ${change} WHERE name = '${name}' AND language = 'en_US'`);
  const account = await service().app.get(AccountsService, { strict: false }).findByApiId(FAST_NUMBER);
  service()
    .app.get(TemplatesService, { strict: false })
    .forget(account?.businessAccountId ?? '');
};

const BAD = {
  10: 'not a phone,Amal,A-1',
  20: ',Amal,A-2',
  30: '+1,Amal,A-3',
  40: '+14151000500,,A-4',
  50: '+14151000501,Amal,',
  60: `${phoneOf(0)},Amal,A-6`,
  70: '+49 (151) 1001-0100,Amal,A-7',
  80: '0014151000502,Amal,A-8',
  90: '+4915112345678901234567,Amal,A-9',
  100: `+14151000503,${'x'.repeat(33_000)},A-10`,
};

describe('A campaign of 1,000 rows, ten of them bad,', () => {
  it('says what is wrong in each bad row and what the good ones cost, and sends these once', async () => {
    const id = await campaigns.ready(recipientsCsv(1_000, BAD));
    const { verdict, status, file } = await campaigns.get(id);
    expect(status).toBe('draft');
    expect(file).toEqual({ name: 'list.csv', columns: ['phone', 'name', 'order'], rows: 1_000 });
    expect(verdict).toMatchObject({ good: 990, bad: 10 });
    const faults = (await rowsOf(id, '?faulty=true')).map(({ row_number, fault }) => [
      row_number,
      fault.code,
      fault.column,
    ]);
    expect(faults).toEqual([
      [12, 'INVALID_PHONE', 'phone'],
      [22, 'VALIDATION_FAILED', 'phone'],
      [32, 'INVALID_PHONE', 'phone'],
      [42, 'VALIDATION_FAILED', 'name'],
      [52, 'VALIDATION_FAILED', 'order'],
      [62, 'DUPLICATE_PHONE', 'phone'],
      [72, 'DUPLICATE_PHONE', 'phone'],
      [82, 'INVALID_PHONE', 'phone'],
      [92, 'INVALID_PHONE', 'phone'],
      [102, 'VALIDATION_FAILED', 'name'],
    ]);
    expect(await campaigns.start(id)).toBeError(409, 'CONFLICT');
    await campaigns.start(id, { leave_out_faulty: true });
    await eventuallyIs(id, 'finished');
    const sent = await messagesOf(id);
    expect(sent).toHaveLength(990);
    expect(new Set(sent).size).toBe(990);
    const [{ total }] = (await sql(
      'SELECT sum(cost)::text AS total FROM message_logs WHERE campaign_id = $1',
      [id],
    )) as any;
    expect(verdict.costs).toEqual([{ currency: 'USD', amount: total }]);
    expect(await campaigns.get(id)).toMatchObject({ accepted_count: 990, refused_count: 0 });
    expect(await rowsOf(id, '?state=skipped')).toHaveLength(10);
    const { messages, holds } = (await campaigns.get(id))['progress'] as Record<string, any>;
    expect(Object.values(messages as Record<string, number>).reduce((sum, count) => sum + count)).toBe(990);
    expect(holds).toEqual([]);
  });

  it('offers the bad rows as a file that can be corrected and uploaded', async () => {
    const id = await campaigns.ready(recipientsCsv(1_000, BAD));
    const { text, headers } = await campaigns.api.get(`/dashboard/api/campaigns/${id}/faults`);
    expect(headers.get('Content-Disposition')).toBe(`attachment; filename="campaign-${id}-faults.csv"`);
    const lines = text.split('\r\n');
    expect(lines[0]).toBe('phone,name,order,row,faulty column,fault,explanation');
    expect(lines[1]).toMatch(/^not a phone,Amal,A-1,12,phone,INVALID_PHONE,/);
    expect(lines).toHaveLength(12);
    const again = await campaigns.upload(id, text);
    expect(again.body.data['file']).toMatchObject({ rows: 10 });
  });
});

describe('A draft', () => {
  it('is refused without a number or template of the tenant, or with a template that has cards', async () => {
    const tenant = await addTenant(service(), { templates: COMPONENT_TEMPLATES });
    const own = new CampaignsApi(await dashboardApi(service(), 'editor', { tenantId: tenant.id }));
    const changes = { messaging_account_id: tenant.accounts[0] };
    expect(await own.create()).toBeError(404, 'TEMPLATE_NOT_FOUND');
    expect(await own.create({ ...changes, template: { name: 'none', language: 'en_US' } })).toBeError(
      404,
      'TEMPLATE_NOT_FOUND',
    );
    const carousel = await own.create({ ...changes, template: { name: 'carousel', language: 'en_US' } });
    expect(carousel).toBeError(400, 'VALIDATION_FAILED');
    expect(carousel.body.error.details[0]).toMatchObject({ field: 'template' });
  });

  it('loses its file when the next one is broken halfway, and keeps its mapping for a corrected one', async () => {
    const id = await campaigns.ready(recipientsCsv(3));
    const broken = await campaigns.upload(id, `${recipientsCsv(2_500)}\n+1,"`);
    expect(broken).toBeError(400, 'VALIDATION_FAILED');
    expect(broken.body.error.details[0]).toMatchObject({ field: 'file', line: expect.any(Number) });
    expect(await campaigns.get(id)).toMatchObject({ file: null, verdict: null });
    expect(await campaigns.act(id, 'check')).toBeError(409, 'CONFLICT');
    await campaigns.upload(id, recipientsCsv(4));
    expect(await campaigns.get(id)).toMatchObject({ file: { rows: 4 }, mapping: MAPPING });
    await campaigns.upload(id, 'telephone;who\n1;a');
    expect(await campaigns.get(id)).toMatchObject({ file: { rows: 1 }, mapping: {} });
  });

  it('names the parts of the message that have no source', async () => {
    const id = (await campaigns.create()).body.data['campaign_id'];
    await campaigns.upload(id, recipientsCsv(1));
    await campaigns.edit(id, { mapping: { phone: { column: 7 }, 'body.1': { text: 'Amal' } } });
    expect(await campaigns.act(id, 'check')).toBeError(400, 'VALIDATION_FAILED', [
      { field: 'mapping.phone', message: 'The file has no such column.' },
      { field: 'mapping.body.2', message: 'Choose a column, or write a text for everyone.' },
    ]);
    expect(await campaigns.edit(id, { mapping: { phone: 3 } })).toBeError(400, 'VALIDATION_FAILED');
  });

  it('that has changed since its check cannot be started without a new check', async () => {
    const id = await campaigns.ready(recipientsCsv(2));
    const { revision } = await campaigns.get(id);
    await campaigns.edit(id, { mapping: { ...MAPPING, 'body.1': { text: 'you' } } });
    expect(await campaigns.act(id, 'start', { revision })).toBeError(409, 'CONFLICT');
    expect(await campaigns.start(id)).toBeError(409, 'CONFLICT');
    expect(await messagesOf(id)).toEqual([]);
  });

  it('can be deleted, unlike a campaign that was started', async () => {
    const path = (id: number) => `/dashboard/api/campaigns/${id}`;
    const draft = await campaigns.ready(recipientsCsv(2));
    expect((await campaigns.api.request('DELETE', path(draft))).status).toBe(200);
    expect(await campaigns.api.get(path(draft))).toBeError(404, 'NOT_FOUND');
    const started = await campaigns.ready(recipientsCsv(1));
    await campaigns.start(started);
    expect(await campaigns.api.request('DELETE', path(started))).toBeError(409, 'CONFLICT');
  });
});

describe('A draft that is checked', () => {
  it('has warnings of messages that will not be delivered, of the limit, and of an announced category', async () => {
    const parts = [
      { type: 'BODY', text: 'Hello {{1}}, see {{2}} now.', example: { body_text: [['a', 'b']] } },
    ];
    const tenant = await addTenant(service(), {
      templates: [template('offer', parts, { category: 'MARKETING' })],
    });
    const own = new CampaignsApi(await dashboardApi(service(), 'editor', { tenantId: tenant.id }));
    const list = `${recipientsCsv(2)}\n+12025550100,Amal,A-7\n+14165550100,Amal,A-8\n+12025550100,Amal,A-9`;
    const choice = {
      messaging_account_id: tenant.accounts[0],
      template: { name: 'offer', language: 'en_US' },
    };
    const id = await own.ready(list, choice);
    const american = { kind: 'us_marketing', recipients: 1 }; // Toronto is not in the United States
    expect(await own.get(id)).toMatchObject({ verdict: { good: 4, bad: 1 }, warnings: [american] });

    // Later than any sync or count that runs meanwhile.
    await sql(
      `UPDATE messaging_accounts SET messaging_limit = 'TIER_250', messaging_limit_at = 'infinity'
       WHERE business_account_id = $1`,
      [tenant.businessAccountId],
    );
    await sql(`UPDATE business_accounts SET recipients = 248, recipients_due_at = 'infinity' WHERE id = $1`, [
      tenant.businessAccountId,
    ]);
    const found = await service()
      .app.get(TemplateStore, { strict: false })
      .find(tenant.businessAccountId, { providerTemplateId: '', name: 'offer', language: 'en_US' });
    const at = new Date(service().clock.now().getTime() + HOUR);
    await service()
      .app.get(CategoryChangesService, { strict: false })
      .announce(
        { id: tenant.businessAccountId, tenantId: tenant.id },
        found!,
        { from: 'MARKETING', to: 'UTILITY', at, saidAt: service().clock.now() },
        service().database,
      );
    expect((await own.get(id))['warnings']).toEqual([
      american,
      { kind: 'limit', limit: 250, reached: 248, hours: 25 },
      { kind: 'category_change', category: 'UTILITY', at: at.toISOString() },
    ]);
    expect((await own.start(id, { leave_out_faulty: true })).status).toBe(200);
  });
});

describe('A start', () => {
  it('happens once, although it is clicked several times', async () => {
    const id = await campaigns.ready(recipientsCsv(300));
    const { revision } = await campaigns.get(id);
    const answers = await Promise.all(from(0, 4).map(() => campaigns.act(id, 'start', { revision })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await eventuallyIs(id, 'finished');
    expect(await messagesOf(id)).toEqual(from(2, 300));
  });

  it('may be scheduled, by the rules for messages', async () => {
    const id = await campaigns.ready(recipientsCsv(5));
    expect(await campaigns.start(id, { scheduled_at: '2020-01-01T00:00:00', timezone: 'UTC' })).toBeError(
      422,
      'SCHEDULED_AT_IN_PAST',
    );
    const at = new Date(service().clock.now().getTime() + HOUR).toISOString();
    expect(await campaigns.start(id, { scheduled_at: at })).toBeError(422, 'TIMEZONE_REQUIRED');
    const started = await campaigns.start(id, { scheduled_at: at, timezone: 'Europe/Berlin' });
    expect(started.body.data).toMatchObject({
      status: 'scheduled',
      starts_at: at,
      timezone: 'Europe/Berlin',
    });
    service().clock.forward(HOUR);
    await eventuallyIs(id, 'finished');
    expect(await messagesOf(id)).toHaveLength(5);
  });
});

describe('A running campaign', () => {
  /** Starts a campaign that is so slow that its end is far away: messages are accepted for 5 seconds ahead only. */
  const slowly = async (count: number, rate = 20) => {
    await sql('UPDATE messaging_accounts SET messages_per_second = $2 WHERE api_id = $1', [
      FAST_NUMBER,
      rate,
    ]);
    const id = await campaigns.ready(recipientsCsv(count));
    await campaigns.start(id);
    await eventually(async () => expect((await messagesOf(id)).length).toBeGreaterThan(0));
    return id;
  };
  const atFullSpeed = () =>
    sql('UPDATE messaging_accounts SET messages_per_second = 1000 WHERE api_id = $1', [FAST_NUMBER]);

  it('accepts no more messages than can be sent soon, pauses at once, and goes on to its end', async () => {
    const id = await slowly(600);
    expect((await campaigns.act(id, 'pause')).body.data).toMatchObject({ status: 'paused', cause: null });
    const accepted = (await messagesOf(id)).length;
    expect(accepted).toBeLessThan(300);
    expect((await campaigns.get(id))['accepted_count']).toBe(accepted);
    await atFullSpeed();
    const other = await campaigns.ready(recipientsCsv(1)); // when this one ends, the feed has run again
    await campaigns.start(other);
    await eventuallyIs(other, 'finished');
    expect(await messagesOf(id)).toHaveLength(accepted);
    await campaigns.act(id, 'resume');
    await eventuallyIs(id, 'finished');
    expect(await messagesOf(id)).toEqual(from(2, 600));
    const figures = { recipients: 600, accepted: expect.any(Number), refused: 0 };
    expect(await toldOf(id)).toMatchObject([
      ['campaign.started', figures],
      ['campaign.paused', { ...figures, cause: null }],
      ['campaign.started', figures],
      ['campaign.finished', { ...figures, accepted: 600 }],
    ]);
  });

  it('is canceled with all its waiting messages, which are refunded', async () => {
    const id = await slowly(500, 10);
    const canceled = await campaigns.act(id, 'cancel');
    expect(canceled.body.data).toMatchObject({ status: 'canceled', ended_at: expect.any(String) });
    await atFullSpeed();
    const [counts] = await sql(
      `SELECT count(*) FILTER (WHERE m.status = 'canceled') AS canceled, count(l.id) AS refunds,
         count(*) FILTER (WHERE m.status IN ('scheduled', 'queued') AND o.resolve_at IS NULL) AS waiting
       FROM message_logs m LEFT JOIN outbox o ON o.message_log_id = m.id
       LEFT JOIN ledger_entries l ON l.message_log_id = m.id AND l.kind = 'refund' WHERE m.campaign_id = $1`,
      [id],
    );
    expect(counts).toMatchObject({ waiting: 0, refunds: counts?.['canceled'] });
    expect(counts?.['canceled']).toBeGreaterThan(0);
    expect((await campaigns.act(id, 'cancel')).status).toBe(200);
    expect(await campaigns.act(id, 'resume')).toBeError(409, 'CONFLICT');
    expect(await campaigns.act(id, 'pause')).toBeError(409, 'CONFLICT');
  });

  it('sends nothing twice after a crash between accepting messages and noting it, however long ago', async () => {
    const id = await campaigns.ready(recipientsCsv(250));
    await campaigns.start(id);
    await eventuallyIs(id, 'finished');
    // As after a crash: the messages are committed, their notes and the end are not. Idempotency keys are gone by then.
    service().clock.forward(49 * HOUR);
    campaigns = new CampaignsApi(await dashboardApi(service(), 'editor')); // the session has ended by then
    await sql(
      `UPDATE campaign_recipients SET state = 'pending' WHERE campaign_id = $1 AND row_number > 100`,
      [id],
    );
    await sql(`UPDATE campaigns SET status = 'running', accepted_count = 99, ended_at = NULL WHERE id = $1`, [
      id,
    ]);
    await eventuallyIs(id, 'finished');
    expect(await messagesOf(id)).toEqual(from(2, 250));
    expect(await campaigns.get(id)).toMatchObject({ accepted_count: 250 });
  });

  it('ends when the provider has answered for its last message, not before', async () => {
    const id = await campaigns.ready(recipientsCsv(1));
    await campaigns.start(id);
    await eventuallyIs(id, 'finished');
    await sql(`UPDATE message_logs SET status = 'queued' WHERE campaign_id = $1`, [id]);
    await sql(fillOutbox({ resolveAt: `now() + interval '1 year'` }));
    await sql(`UPDATE campaigns SET status = 'running', ended_at = NULL WHERE id = $1`, [id]);
    const other = await campaigns.ready(recipientsCsv(1)); // when this one ends, the feed has run again
    await campaigns.start(other);
    await eventuallyIs(other, 'finished');
    expect(await statusOf(id)).toBe('running');
    await sql(`UPDATE message_logs SET status = 'sent' WHERE campaign_id = $1`, [id]);
    await sql('DELETE FROM outbox WHERE campaign_id = $1', [id]);
    await eventuallyIs(id, 'finished');
  });

  it('has one message for a row, even when two workers take the row at the same time', async () => {
    const messages = service().app.get(MessagesService, { strict: false });
    const body = sendBody(phoneOf(1)) as SendMessageDto;
    const neighbour = messages.send({ tenantId: service().tenantId }, body, undefined);
    const [checked] = await service().database.run<{ id: number; revision: number }>({
      name: '',
      text: `SELECT id, revision FROM templates WHERE name = '${body.data.name}' AND language = 'en_US'`,
    });
    const of = { campaignId: 2_000_000_000, row: 2, template: checked! };
    const row = () => messages.sendRow({ tenantId: service().tenantId }, body, of);
    await Promise.all([row(), neighbour, row()]);
    await row();
    expect(await messagesOf(2_000_000_000)).toEqual([2]);
    expect((await neighbour).acknowledgement.status).toBe('queued'); // it shared their commit, no more
  });

  it('sends each row once when two workers feed it', async () => {
    const second = await startSecondService(service(), 'worker');
    const ids = [
      await campaigns.ready(recipientsCsv(900), { messaging_account_id: DEMO.numbers[1].apiId }),
      await campaigns.ready(recipientsCsv(900)),
    ];
    for (const id of ids) await campaigns.start(id);
    for (const id of ids) await eventuallyIs(id, 'finished');
    for (const id of ids) expect(await messagesOf(id)).toEqual(from(2, 900));
    await second.stop();
  });

  it('pauses when its template gets another category, and shows the price of the rest', async () => {
    const id = await slowly(200);
    const store = service().app.get(TemplateStore, { strict: false });
    const { businessAccountId } = (await service()
      .app.get(AccountsService, { strict: false })
      .findByApiId(FAST_NUMBER))!;
    const name = { providerTemplateId: '', name: 'order_update', language: 'en_US' };
    const { id: templateId } = (await store.find(businessAccountId, name))!;
    await store.setCategory(businessAccountId, templateId, 'MARKETING');
    await atFullSpeed();
    await eventuallyIs(id, 'paused');
    const campaign = await campaigns.get(id);
    expect(campaign['cause']).toEqual({
      code: 'TEMPLATE_RECATEGORISED',
      message: expect.stringContaining('for marketing now, no longer for utility'),
      categories: { from: 'UTILITY', to: 'MARKETING' },
    });
    const left = 200 - campaign['accepted_count'];
    const rest = (await campaigns.api.get(`/dashboard/api/campaigns/${id}/rest`)).body.data;
    expect(rest['recipients']).toBe(left);
    const utility = Number(campaign['verdict'].costs[0].amount) / 200;
    expect(Number(rest['before'][0].amount)).toBeCloseTo(utility * left, 6);
    expect(Number(rest['now'][0].amount)).toBeGreaterThan(Number(rest['before'][0].amount));

    expect((await campaigns.act(id, 'resume')).body.data['verdict']).toMatchObject({ category: 'MARKETING' });
    await eventuallyIs(id, 'finished');
    const sums = await sql(
      `SELECT conversation_category AS category, sum(cost)::text AS amount FROM message_logs
       WHERE campaign_id = $1 GROUP BY 1 ORDER BY 1`,
      [id],
    );
    expect(sums[0]).toEqual({ category: 'MARKETING', amount: rest['now'][0].amount });
    await store.setCategory(businessAccountId, templateId, 'UTILITY');
  }, 60_000);

  it.each([
    ['paused', "status = 'PAUSED'", "status = 'APPROVED'", 'TEMPLATE_PAUSED'],
    ['disabled', "status = 'DISABLED'", "status = 'APPROVED'", 'TEMPLATE_NOT_FOUND'],
    [
      'edited',
      `revision = revision + 1, body_json = jsonb_set(body_json, '{0,text}', '"{{1}} {{2}} {{3}}"')`,
      `revision = revision + 1, body_json = jsonb_set(body_json, '{0,text}', '"{{1}} {{2}}"')`,
      'TEMPLATE_CHANGED',
    ],
    ['given other words', 'revision = revision + 1', 'revision = revision', 'TEMPLATE_CHANGED'],
  ])(
    'pauses when its template is %s, and says why',
    async (_what, change, back, code) => {
      const id = await slowly(200);
      await setTemplate('order_update', change);
      await atFullSpeed();
      await eventuallyIs(id, 'paused');
      const campaign = await campaigns.get(id);
      expect(campaign['cause']).toMatchObject({ code });
      expect(campaign['refused_count']).toBe(0);
      await setTemplate('order_update', back);
      await campaigns.act(id, 'resume');
      await eventuallyIs(id, 'finished');
      expect(await messagesOf(id)).toEqual(from(2, 200));
    },
    60_000,
  );
});

describe('Campaigns', () => {
  it('can be seen but not changed by viewers', async () => {
    const id = await campaigns.ready(recipientsCsv(2));
    const viewer = new CampaignsApi(await dashboardApi(service(), 'viewer'));
    expect((await viewer.get(id))['campaign_id']).toBe(id);
    const writes = [
      viewer.create(),
      viewer.upload(id, 'phone\n1'),
      viewer.edit(id, { name: 'Mine' }),
      ...['check', 'start', 'pause', 'resume', 'cancel'].map((action) => viewer.act(id, action)),
    ];
    for (const answer of await Promise.all(writes)) expect(answer).toBeError(403, 'FORBIDDEN');
  });

  it('do not exist for other tenants', async () => {
    const id = await campaigns.ready(recipientsCsv(2));
    const tenant = await addTenant(service());
    const other = new CampaignsApi(await dashboardApi(service(), 'owner', { tenantId: tenant.id }));
    expect((await other.api.get('/dashboard/api/campaigns')).body.data).toEqual([]);
    const path = `/dashboard/api/campaigns/${id}`;
    for (const answer of [
      await other.api.get(path),
      await other.api.get(`${path}/rows`),
      await other.api.get(`${path}/faults`),
      await other.api.request('DELETE', path),
      await other.upload(id, 'phone\n1'),
      await other.act(id, 'check'),
      await other.act(id, 'start', { revision: 4 }),
      await other.act(id, 'pause'),
      await other.act(id, 'resume'),
      await other.act(id, 'cancel'),
    ]) {
      expect(answer).toBeError(404, 'NOT_FOUND');
    }
  });

  it('have their actions in the audit log', async () => {
    const id = await campaigns.ready(recipientsCsv(2));
    await campaigns.start(id);
    const entries = await sql(
      `SELECT action FROM audit_log WHERE (details ->> 'campaign_id')::integer = $1 ORDER BY id`,
      [id],
    );
    expect(entries.map(({ action }) => action)).toEqual([
      'campaign.created',
      'campaign.uploaded',
      'campaign.started',
    ]);
  });
});

describe('Recipients who have opted out', () => {
  const optOut = (phone: string, scope: 'marketing' | 'all') =>
    service()
      .app.get(OptOutsService, { strict: false })
      .set(service().tenantId, { phone: phone.replace('+', ''), scope, source: 'api', reason: null });
  const [gone, late, marketing] = [phoneOf(7_001), phoneOf(7_002), phoneOf(7_003)];
  const csv = ['phone,name,order', ...[gone, late, marketing].map((phone, i) => `${phone},A,A-${i}`)].join(
    '\n',
  );

  it('are counted by the check, left out at the start, and refused when they opt out after it', async () => {
    await optOut(gone, 'all');
    await optOut(marketing, 'marketing');
    const id = await campaigns.ready(csv);
    expect((await campaigns.get(id))['verdict']).toMatchObject({ good: 2, bad: 0, opted_out: 1 });
    await optOut(late, 'all');
    await campaigns.start(id);
    await eventuallyIs(id, 'finished');
    expect((await rowsOf(id)).map(({ state, fault }) => [state, fault?.code])).toEqual([
      ['skipped', 'RECIPIENT_OPTED_OUT'],
      ['refused', 'RECIPIENT_OPTED_OUT'],
      ['accepted', undefined],
    ]);
    expect(await messagesOf(id)).toEqual([4]);
  });
});

describe('Campaigns that ended long ago', () => {
  it('lose their lists of recipients when their messages are deleted', async () => {
    const [draft, ended] = [await campaigns.ready(recipientsCsv(2)), await campaigns.ready(recipientsCsv(2))];
    await campaigns.start(ended);
    await eventuallyIs(ended, 'finished');
    const left = () =>
      sql('SELECT DISTINCT campaign_id FROM campaign_recipients WHERE campaign_id = ANY($1)', [
        [draft, ended],
      ]);
    const expiry = service().app.get(CampaignExpiryService, { strict: false });
    await expiry.expire();
    expect(await left()).toHaveLength(2);
    service().clock.forward((service().config.RETENTION_MESSAGES + 1) * 24 * HOUR);
    await expiry.expire();
    expect(await left()).toEqual([]);
  });
});
