import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { MessageQueries } from '../../src/messages/lists/message-queries.js';
import type { Api } from '../support/api.js';
import { dashboardApi } from '../support/dashboard-api.js';
import { eventually } from '../support/eventually.js';
import '../support/matchers.js';
import { useTestService } from '../support/test-service.js';
import { addTenant, template, type TestTenant } from '../support/tenants.js';

const MESSAGES = '/dashboard/api/messages';
const SEND = '/api/v1/messages/send';
const HOUR = 3_600_000;

const service = useTestService();
let tenant: TestTenant;
let viewer: Api;
let editor: Api;

beforeAll(async () => {
  tenant = await addTenant(service(), {
    phones: ['14155550200', '14155550201'],
    templates: [template('alpha', 'Hello {{1}}!'), template('beta', 'Hello!', { category: 'MARKETING' })],
  });
  viewer = await dashboardApi(service(), 'viewer', { tenantId: tenant.id });
  editor = await dashboardApi(service(), 'editor', { tenantId: tenant.id });
});

async function send(phone: string, changes: Record<string, unknown> = {}): Promise<number> {
  const answer = await tenant.api.post(SEND, {
    messaging_account_id: tenant.accounts[0],
    phone,
    message_type: 'template',
    data: { name: 'beta' },
    ...changes,
  });
  expect(answer).toMatchObject({ status: 202 });
  return answer.body.data['message_log_id'] as number;
}

const later = (hours = 1) => ({
  scheduled_at: new Date(service().clock.now().getTime() + hours * HOUR).toISOString(),
  timezone: 'UTC',
});

async function ids(query: string): Promise<number[]> {
  const answer = await viewer.get(`${MESSAGES}?${query}`);
  expect(answer.status).toBe(200);
  const messages = answer.body.data['messages'] as { message_log_id: number }[];
  return messages.map((message) => message.message_log_id);
}

const reaches = (id: number, status: string) =>
  eventually(async () => expect(await tenant.api.message(id)).toMatchObject({ status }));

describe('The sent page’s list', () => {
  it('has the same records as the public one, newest first', async () => {
    const id = await send('+12025550100', later());
    const answer = await viewer.get(MESSAGES);
    const { events, ...record } = await tenant.api.message(id);
    expect(events).toHaveLength(1);
    expect(answer.body.data['messages'][0]).toEqual(record);
    expect(answer.body.data['searched_to']).toBeNull();
  });

  it('can be filtered by several statuses', async () => {
    const waiting = await send('+12025550111', later());
    const failed = await send('+12025550110');
    await reaches(failed, 'failed');
    const both = await ids('status=scheduled&status=failed');
    expect(both).toEqual(expect.arrayContaining([waiting, failed]));
    expect(await ids('status=failed')).toEqual(expect.not.arrayContaining([waiting]));
    expect(await ids('status=queued&status=scheduled&phone=12025550111')).toEqual([waiting]);
  });

  it('can be filtered by retries and their originals', async () => {
    const original = await send('+12025550112', { auto_retry_on_frequency_cap: true });
    await reaches(original, 'failed');
    const [retry] = await eventually(async () => {
      const found = await ids('retry=retries&phone=12025550112');
      expect(found).toHaveLength(1);
      return found;
    });
    expect(await ids('retry=with_retry')).toEqual([original]);
    expect(await ids('retry=originals&phone=12025550112')).toEqual([original]);
    expect(await ids('retry=retries')).toEqual([retry]);
  });

  it('goes back page by page without gap or duplicate', async () => {
    const all = await ids('limit=100');
    const walked: number[] = [];
    let cursor: string | null | undefined;
    do {
      const answer = await viewer.get(`${MESSAGES}?limit=2${cursor ? `&cursor=${cursor}` : ''}`);
      walked.push(...answer.body.data['messages'].map((message: any) => message.message_log_id));
      cursor = answer.body.next_cursor;
    } while (cursor);
    expect(walked).toEqual(all);
  });

  it.each([
    ['status=done', 400, 'VALIDATION_FAILED', 'status'],
    ['retry=yes', 400, 'VALIDATION_FAILED', 'retry'],
    ['created_from=yesterday', 400, 'VALIDATION_FAILED', 'created_from'],
    ['cursor=x', 400, 'VALIDATION_FAILED', 'cursor'],
    ['phone=123', 422, 'INVALID_PHONE', 'phone'],
    ['messaging_account_id=acc_Nobody', 404, 'ACCOUNT_NOT_FOUND', 'messaging_account_id'],
    ['anything=1', 400, 'VALIDATION_FAILED', 'anything'],
  ])('answers %s by %i %s at the field', async (query, status, code, field) => {
    expect(await viewer.get(`${MESSAGES}?${query}`)).toBeError(status, code, [
      expect.objectContaining({ field }),
    ]);
  });

  it('tells by which templates and numbers it can be filtered', async () => {
    const { body } = await viewer.get(`${MESSAGES}/choices`);
    expect(body.data['templates']).toEqual(['alpha', 'beta']);
    expect(body.data['numbers'].map((one: any) => one.messaging_account_id)).toEqual(tenant.accounts);
  });
});

describe('A message', () => {
  it('comes with its charge, refund, template and the meaning of its error', async () => {
    const id = await send('+12025550110');
    await reaches(id, 'failed');
    const { body } = await viewer.get(`${MESSAGES}/${id}`);
    expect(body.data).toMatchObject({
      message_log_id: id,
      error: { code: 131026 },
      error_class: 'recipient',
      template_components: [{ type: 'BODY', text: 'Hello!' }],
      ledger: [{ kind: 'charge' }, { kind: 'refund' }],
      original: null,
      retry: null,
      hold: null,
    });
    expect(body.data['ledger'][0].amount).toBe(body.data['ledger'][1].amount);
    expect(body.data['events'].map((event: any) => event.event)).toEqual(['accepted', 'failed']);
  });

  it('is linked with its retry, both ways', async () => {
    const original = await send('+442055550112', { auto_retry_on_frequency_cap: true });
    await reaches(original, 'failed');
    const { retry } = await eventually(async () => {
      const { body } = await viewer.get(`${MESSAGES}/${original}`);
      expect(body.data['retry']).toMatchObject({ status: 'scheduled' });
      return body.data;
    });
    const { body } = await viewer.get(`${MESSAGES}/${retry.message_log_id}`);
    expect(body.data).toMatchObject({
      retry_of: original,
      original: { message_log_id: original, status: 'failed' },
    });
  });

  it.each(['0', 'x', '1e3', '999999999999999999999'])('is not found by the id %s', async (id) => {
    expect(await viewer.get(`${MESSAGES}/${id}`)).toBeError(404, 'MESSAGE_NOT_FOUND');
  });
});

describe('Canceling', () => {
  it('refunds a waiting message, and is in the audit log once', async () => {
    const id = await send('+12025550100', later());
    expect((await editor.post(`${MESSAGES}/${id}/cancel`)).body.data).toMatchObject({ status: 'canceled' });
    expect((await editor.post(`${MESSAGES}/${id}/cancel`)).status).toBe(200);
    const entries = await service().database.run({
      name: '',
      text: `SELECT details FROM audit_log WHERE action = 'message.canceled' AND tenant_id = '${tenant.id}'`,
    });
    expect(entries).toEqual([{ details: { message_log_id: id, template: 'beta' } }]);
    expect((await viewer.get(`${MESSAGES}/${id}`)).body.data['ledger']).toHaveLength(2);
  });

  it('is refused for a sent message, and to viewers', async () => {
    const [sent, waiting] = [await send('+12025550100'), await send('+12025550100', later())];
    await reaches(sent, 'read');
    expect(await editor.post(`${MESSAGES}/${sent}/cancel`)).toBeError(409, 'MESSAGE_NOT_CANCELABLE');
    expect(await viewer.post(`${MESSAGES}/${waiting}/cancel`)).toBeError(403, 'FORBIDDEN');
    expect(await tenant.api.message(waiting)).toMatchObject({ status: 'scheduled' });
  });
});

describe('Another tenant', () => {
  it('can see, export and cancel none of these messages', async () => {
    const id = await send('+12025550100', later());
    const other = await addTenant(service(), {
      phones: ['14155550300'],
      templates: [template('gamma', 'Hi')],
    });
    const stranger = await dashboardApi(service(), 'owner', { tenantId: other.id });
    expect((await stranger.get(MESSAGES)).body.data['messages']).toEqual([]);
    expect((await stranger.get(`${MESSAGES}/export`)).text.trim().split('\r\n')).toHaveLength(1);
    expect(await stranger.get(`${MESSAGES}/${id}`)).toBeError(404, 'MESSAGE_NOT_FOUND');
    expect(await stranger.post(`${MESSAGES}/${id}/cancel`)).toBeError(404, 'MESSAGE_NOT_FOUND');
    expect((await stranger.get(`${MESSAGES}/choices`)).body.data['templates']).toEqual(['gamma']);
  });
});

describe('The export', () => {
  it('has a line for each message of the filter, as a file, with phones as text', async () => {
    const wanted = await ids('status=scheduled&limit=100');
    const { headers, text } = await viewer.get(`${MESSAGES}/export?status=scheduled`);
    expect(headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('Content-Disposition')).toMatch(
      /^attachment; filename="messages-\d{4}-\d\d-\d\d\.csv"$/,
    );
    const [heading, ...lines] = text.trim().split('\r\n');
    expect(heading).toMatch(/^message_log_id,created_at,phone,template,/);
    expect(lines.map((line) => Number(line.split(',')[0]))).toEqual(wanted);
    expect(lines[0]?.split(',')[2]).toMatch(/^'\+\d+$/);
  });

  it('answers a wrong filter with an error, not with a file', async () => {
    expect(await viewer.get(`${MESSAGES}/export?status=done`)).toBeError(400, 'VALIDATION_FAILED');
  });

  it('breaks off the connection when it cannot go on, so that the file does not look complete', async () => {
    const { reader } = await openLargeExport();
    await reader.read();
    await sql('ALTER TABLE message_logs RENAME TO message_logs_away');
    await expect(readAll(reader)).rejects.toThrow('terminated');
    await sql('ALTER TABLE message_logs_away RENAME TO message_logs');
  });

  it('stops reading when the reader has disconnected, and never reads far ahead of a slow reader', async () => {
    const search = jest.spyOn(service().app.get(MessageQueries, { strict: false }), 'search');
    const { reader, stop } = await openLargeExport();
    await reader.read();
    stop();
    const settled = await eventually(async () => {
      const before = search.mock.calls.length;
      for (let i = 0; i < 5; i += 1) await viewer.get(`${MESSAGES}/choices`);
      expect(search.mock.calls).toHaveLength(before);
      return before;
    });
    expect(settled).toBeLessThan(LARGE / 500);
    search.mockRestore();
  });
});

/** A number of messages whose export is larger than what sockets hold. */
const LARGE = 100_000;

const sql = (text: string) => service().database.run({ name: '', text, timeout: 60_000 });
let rich: Promise<Api> | undefined;

async function fillTenant(): Promise<Api> {
  const { id, accounts } = await addTenant(service(), { phones: ['14155550400'] });
  await sql(`
    INSERT INTO message_logs (tenant_id, messaging_account_id, template_id, phone, template_name, language,
      components, status, auto_retry_on_frequency_cap, conversation_category, cost, currency, created_at)
    SELECT '${id}', n.id, 1, '12025550100', 'alpha', 'en_US', '[]', 'read', false, 'UTILITY', 1, 'USD',
      date_trunc('milliseconds', now()) - i * interval '1 second'
    FROM messaging_accounts n, generate_series(1, ${LARGE}) i WHERE n.api_id = '${accounts[0]}'`);
  return dashboardApi(service(), 'viewer', { tenantId: id });
}

async function openLargeExport() {
  const { headers } = await (rich ??= fillTenant());
  const leaving = new AbortController();
  const response = await fetch(`${service().url}${MESSAGES}/export`, {
    headers: { ...headers, 'Accept-Encoding': 'identity' },
    signal: leaving.signal,
  });
  return { reader: response.body!.getReader(), stop: () => leaving.abort() };
}

async function readAll(reader: { read(): Promise<{ done: boolean }> }): Promise<void> {
  while (!(await reader.read()).done);
}

describe('A search for rare messages', () => {
  it('stops after a window of rows, says how far it came, and goes on from there', async () => {
    const api = await (rich ??= fillTenant());
    await sql(`
      UPDATE message_logs SET template_name = 'rare'
      WHERE id IN (SELECT id FROM message_logs WHERE phone = '12025550100' AND template_name = 'alpha'
        ORDER BY created_at LIMIT 3)`);
    const first = await api.get(`${MESSAGES}?template=rare`);
    expect(first.body.data['messages']).toEqual([]);
    const searchedTo = Date.parse(first.body.data['searched_to']);
    expect(searchedTo).toBeLessThan(Date.now() - 9_990_000);

    const found: number[] = [];
    for (let cursor = first.body.next_cursor; cursor;) {
      const page = await api.get(`${MESSAGES}?template=rare&limit=2&cursor=${cursor}`);
      found.push(...page.body.data['messages'].map((message: any) => message.message_log_id));
      cursor = page.body.next_cursor;
    }
    expect(found).toHaveLength(3);
    expect(new Set(found).size).toBe(3);
    const { text } = await api.get(`${MESSAGES}/export?template=rare`);
    expect(text.trim().split('\r\n')).toHaveLength(4);
  });

  it('ends when no rows are left', async () => {
    const api = await (rich ??= fillTenant());
    const { body } = await api.get(`${MESSAGES}?status=canceled`);
    expect(body).toMatchObject({ data: { messages: [], searched_to: null }, next_cursor: null });
  });
});
