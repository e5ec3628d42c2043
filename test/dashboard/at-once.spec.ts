import { type ClientRequest, request } from 'node:http';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { CsvAnswerService } from '../../src/dashboard/exports/csv-answer.service.js';
import type { Answer, Api } from '../support/api.js';
import { CampaignsApi, MAPPING, recipientsCsv } from '../support/campaigns.js';
import { dashboardApi } from '../support/dashboard-api.js';
import { eventually } from '../support/eventually.js';
import '../support/matchers.js';
import { addNumbers } from '../support/numbers.js';
import { runSql } from '../support/operator.js';
import { routesOf } from '../support/routes.js';
import { PNG } from '../support/template-drafts.js';
import { addTenant, template } from '../support/tenants.js';
import { useTestService } from '../support/test-service.js';

/** There is no worker, so that queued messages stay where they are. */
const service = useTestService({ ROLE: 'api' });

const UPLOADS = '/dashboard/api/uploads';
const EXPORT = '/dashboard/api/messages/export';

let editor: Api;
let colleague: Api;
let neighbour: Api;
beforeAll(async () => {
  const { id: tenantId } = await addTenant(service(), { templates: [template('hello', 'Hello!')] });
  editor = await dashboardApi(service(), 'owner', { operator: true });
  colleague = await dashboardApi(service(), 'editor');
  neighbour = await dashboardApi(service(), 'editor', { tenantId });
});

const left: ClientRequest[] = [];
afterEach(() => {
  for (const call of left.splice(0)) call.destroy();
});

/** Begins a request like a caller with a slow line: it sends half of the body, and does not read the answer. */
function begin(api: Api, method: string, path: string, body = ''): ClientRequest {
  const headers = { ...api.headers, 'Content-Type': 'text/csv', 'Content-Length': body.length * 2 };
  const call = request(`${api.url}${path}`, { method, agent: false, headers });
  call.on('error', () => undefined).on('response', (response) => response.on('error', () => undefined));
  if (body === '') call.end();
  else call.write(body);
  left.push(call);
  return call;
}

const csv = (api: Api, path: string, text: string) =>
  api.request('POST', path, text, { 'Content-Type': 'text/csv' });

function expectBusy(answer: Answer, seconds: number, words: RegExp): void {
  expect(answer).toBeError(429, 'RATE_LIMITED', []);
  expect(answer.headers.get('Retry-After')).toBe(String(seconds));
  expect(answer.body.error.message).toMatch(words);
}

async function aDraft(api: Api): Promise<number> {
  return (await new CampaignsApi(api).create()).body.data['campaign_id'] as number;
}

describe('Uploads of one tenant', () => {
  const upload = async (api: Api) => csv(api, `${UPLOADS}/rate-card`, 'no card');
  const isBusy = (answer: Answer) => expectBusy(answer, 5, /uploading 4 files already: wait/);

  /** Begins four uploads, each for a draft of its own. @returns them when all are under way */
  async function beginFour(): Promise<ClientRequest[]> {
    await eventually(async () => {
      const answers = await Promise.all([1, 2, 3, 4].map(() => upload(editor)));
      expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    });
    const ids = await Promise.all([1, 2, 3, 4].map(() => aDraft(editor)));
    const calls = ids.map((id) =>
      begin(editor, 'POST', `${UPLOADS}/campaigns/${id}?file_name=list.csv`, recipientsCsv(3)),
    );
    await eventually(async () => isBusy(await upload(editor)));
    return calls;
  }

  it('are limited to four at the same time, over all users and kinds, and do not limit other tenants', async () => {
    await beginFour();
    isBusy(await upload(editor));
    const id = await aDraft(colleague);
    isBusy(await new CampaignsApi(colleague).upload(id, recipientsCsv(1)));
    const png = (api: Api, path: string) =>
      api.request('POST', `${UPLOADS}/${path}`, PNG, { 'Content-Type': 'image/png' });
    isBusy(await png(colleague, `header-sample?file_name=a.png&business_account_id=${crypto.randomUUID()}`));
    isBusy(await png(colleague, 'media?file_name=a.png&messaging_account_id=acc_none'));
    expect(await png(neighbour, 'media?file_name=a.png&messaging_account_id=acc_none')).toBeError(
      404,
      'ACCOUNT_NOT_FOUND',
    );
  });

  it('make room for another when a caller disconnects halfway', async () => {
    const [first] = await beginFour();
    first?.destroy();
    await eventually(async () => expect(await upload(editor)).toBeError(400, 'VALIDATION_FAILED'));
  });

  it('make room for another when they end: refused, complete, or for a campaign that does not exist', async () => {
    const id = await aDraft(editor);
    const file = (api: Api, campaign: number, text: string) => new CampaignsApi(api).upload(campaign, text);
    for (let i = 0; i < 5; i += 1) {
      expect(await file(editor, id, 'phone\n"')).toBeError(400, 'VALIDATION_FAILED');
      expect(await file(editor, 999_999, recipientsCsv(1))).toBeError(404, 'NOT_FOUND');
      expect((await file(editor, id, recipientsCsv(1))).status).toBe(201);
      expect(await csv(editor, `${UPLOADS}/campaigns/${id}`, 'phone')).toBeError(400, 'VALIDATION_FAILED');
    }
    await beginFour();
  });

  it('are limited on every route that accepts an upload', async () => {
    await beginFour();
    const routes = routesOf(service(), `${UPLOADS}/`);
    expect(routes.length).toBeGreaterThan(3);
    for (const { path } of routes) isBusy(await csv(editor, path.replaceAll(/:\w+/g, '1'), 'phone'));
  });
});

describe('Exports of one tenant', () => {
  const ROWS = 60_000;
  let api: Api;
  beforeAll(async () => {
    const { tenant, numbers, queue } = await addNumbers(service(), [80]);
    // More than a connection holds while nobody reads.
    const number = numbers[0]?.id as number;
    await queue(number, 1_000);
    // Else PostgreSQL compares every new message with every entry.
    await service().database.run({ name: '', text: 'ANALYZE message_logs, outbox' });
    for (let i = 1_000; i < ROWS; i += 1_000) await queue(number, 1_000);
    api = await dashboardApi(service(), 'editor', { tenantId: tenant.id });
  });
  const isBusy = (answer: Answer) => expectBusy(answer, 10, /exporting 2 files already: wait/);
  const none = () => api.get(`${EXPORT}?status=read`);

  /** Begins an export. It may have to wait a moment until the place of an ended one is free. */
  const beginOne = () =>
    eventually(async () => {
      const call = begin(api, 'GET', EXPORT);
      const status = await new Promise((resolve) =>
        call.on('response', (answer) => resolve(answer.statusCode)),
      );
      expect(status).toBe(200);
      return call;
    });
  const beginTwo = async () => [await beginOne(), await beginOne()];

  it('are limited to two at the same time, and do not limit other tenants', async () => {
    await beginTwo();
    isBusy(await none());
    isBusy(await api.get('/dashboard/api/campaigns/1/faults'));
    expect((await colleague.get(EXPORT)).status).toBe(200);
    expect((await api.get('/dashboard/api/messages')).status).toBe(200);
  });

  it('make room for another when a reader disconnects', async () => {
    const [first] = await beginTwo();
    first?.destroy();
    await eventually(async () => expect((await none()).status).toBe(200));
  });

  it('make room for another when a reader stops reading', async () => {
    const answer = service().app.get(CsvAnswerService, { strict: false });
    const { patience } = answer;
    answer.patience = 4_000;
    try {
      await beginTwo();
      await eventually(async () => expect((await none()).status).toBe(200));
    } finally {
      answer.patience = patience;
    }
  });

  it('make room for another when they are refused or complete', async () => {
    for (let i = 0; i < 3; i += 1) {
      expect(await api.get(`${EXPORT}?messaging_account_id=acc_none`)).toBeError(404, 'ACCOUNT_NOT_FOUND');
      expect(await api.get('/dashboard/api/campaigns/999999/faults')).toBeError(404, 'NOT_FOUND');
      expect((await none()).status).toBe(200);
    }
    await beginTwo();
  });
});

describe('Checks of one tenant’s campaigns', () => {
  const WAITING_FOR_LOCKS = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

  /** A draft with a file and a mapping. */
  async function mapped(): Promise<number> {
    const campaigns = new CampaignsApi(editor);
    const id = await aDraft(editor);
    await campaigns.upload(id, recipientsCsv(1));
    await campaigns.edit(id, { mapping: MAPPING });
    return id;
  }

  it('are limited to three at the same time, and make room when they are done', async () => {
    const campaigns = new CampaignsApi(editor);
    const held = [await mapped(), await mapped(), await mapped()];
    const other = await mapped();
    const check = (id: number) => campaigns.act(id, 'check');
    // While another transaction locks the rows, no check can end.
    const checks = await service().database.transaction(async (connection) => {
      const text = 'SELECT FROM campaign_recipients WHERE campaign_id = ANY($1) FOR UPDATE';
      await connection.run({ name: 'test_hold_rows', text }, [held]);
      const underWay = Promise.all(held.map(check));
      await eventually(async () => expect(await runSql(service(), WAITING_FOR_LOCKS)).toHaveLength(3));
      await eventually(async () => expectBusy(await check(other), 10, /checking 3 campaigns already: wait/));
      return { underWay };
    });
    expect((await checks.underWay).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await check(other)).status).toBe(200);
  });

  it('make room for another when they are refused, and when their caller has disconnected', async () => {
    const campaigns = new CampaignsApi(editor);
    const id = await mapped();
    for (let i = 0; i < 4; i += 1) {
      expect(await campaigns.act(999_999, 'check')).toBeError(404, 'NOT_FOUND');
      const call = begin(editor, 'POST', `/dashboard/api/campaigns/${id}/check`);
      call.on('socket', (socket) => socket.on('connect', () => setImmediate(() => call.destroy())));
    }
    await eventually(async () => expect((await campaigns.act(id, 'check')).status).toBe(200));
    expect(
      await runSql(service(), 'SELECT FROM campaigns WHERE id = $1 AND verdict IS NOT NULL', [id]),
    ).toEqual([{}]);
  });
});
