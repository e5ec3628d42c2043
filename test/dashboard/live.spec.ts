import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { AlertsService } from '../../src/alerts/alerts.service.js';
import { MessageQueries } from '../../src/messages/lists/message-queries.js';
import { Api } from '../support/api.js';
import { dashboardApi } from '../support/dashboard-api.js';
import { eventually } from '../support/eventually.js';
import { startTestService } from '../support/service.js';
import { useTestService } from '../support/test-service.js';
import { addTenant, template, type TestTenant } from '../support/tenants.js';
import '../support/matchers.js';

const MESSAGES = '/dashboard/api/messages';

interface Event {
  name: string;
  data: any;
}

/** A stream that a page follows. `events` has what arrived; `ended` resolves when the service ends the stream. */
interface Stream {
  events: Event[];
  /** How many keep-alive comments have come. */
  signsOfLife: number;
  status: number;
  headers: Headers;
  ended: Promise<void>;
  leave(): void;
}

const service = useTestService();
const open: Stream[] = [];
afterEach(() => {
  for (const stream of open.splice(0)) stream.leave();
  jest.restoreAllMocks();
});

async function listen(api: Api, path: string): Promise<Stream> {
  const leaving = new AbortController();
  const response = await fetch(`${api.url}${path}`, {
    headers: { ...api.headers, Accept: 'text/event-stream' },
    signal: leaving.signal,
  });
  const { status, headers } = response;
  const stream: Stream = {
    events: [],
    signsOfLife: 0,
    status,
    headers,
    ended: Promise.resolve(),
    leave: () => leaving.abort(),
  };
  stream.ended = read(response.body!, stream).catch((error: unknown) => {
    if (!leaving.signal.aborted) throw error;
  });
  open.push(stream);
  return stream;
}

async function read(body: ReadableStream<Uint8Array>, stream: Stream): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true });
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const match = /^event: (\w+)\ndata: (.*)$/.exec(block);
      if (match?.[1] === 'alive') stream.signsOfLife += 1;
      else if (match) stream.events.push({ name: match[1]!, data: JSON.parse(match[2]!) });
    }
  }
}

const send = (tenant: TestTenant) =>
  tenant.api.post('/api/v1/messages/send', {
    messaging_account_id: tenant.accounts[0],
    phone: '+12025550100',
    message_type: 'template',
    data: { name: 'hello' },
    scheduled_at: new Date(service().clock.now().getTime() + 3_600_000).toISOString(),
    timezone: 'UTC',
  });

const sql = (text: string) => service().database.run({ name: '', text });

const addShop = () => addTenant(service(), { templates: [template('hello', 'Hello!')] });

describe('A live answer', () => {
  it('is not begun for a HEAD request, which would never end', async () => {
    const api = await dashboardApi(service());
    const headers = { ...api.headers, Accept: 'text/event-stream' };
    const answer = await fetch(`${api.url}${MESSAGES}`, { method: 'HEAD', headers });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Content-Type')).toBe('application/json; charset=utf-8');
  });

  it('begins with the ordinary answer, and repeats it only when it has changed', async () => {
    const tenant = await addShop();
    const api = await dashboardApi(service(), 'viewer', { tenantId: tenant.id });
    const stream = await listen(api, MESSAGES);
    expect(stream.status).toBe(200);
    expect(stream.headers.get('Content-Type')).toBe('text/event-stream');
    expect(stream.headers.get('Content-Encoding')).toBeNull();
    await eventually(() => expect(stream.events).toHaveLength(1));
    expect(stream.events[0]).toEqual({ name: 'data', data: (await api.get(MESSAGES)).body });

    await send(tenant);
    await eventually(() => expect(stream.events).toHaveLength(2));
    expect(stream.events[1]?.data).toEqual((await api.get(MESSAGES)).body);

    // The second change is the third event, so none came without a change.
    const id = stream.events[1]?.data.data.messages[0].message_log_id as number;
    const probe = await listen(api, `${MESSAGES}/${id}`);
    await tenant.api.post(`/api/v1/messages/${id}/cancel`);
    await eventually(() =>
      expect(probe.events.map(({ data }) => data.data.status)).toEqual(['scheduled', 'canceled']),
    );
    await eventually(() => expect(stream.events).toHaveLength(3));
    expect(stream.events[2]?.data.data.messages[0].status).toBe('canceled');
  });

  it('is not repeated for changes of another tenant', async () => {
    const [tenant, other] = [await addShop(), await addShop()];
    const stream = await listen(await dashboardApi(service(), 'viewer', { tenantId: tenant.id }), MESSAGES);
    const others = await listen(await dashboardApi(service(), 'viewer', { tenantId: other.id }), MESSAGES);
    await send(other);
    await eventually(() => expect(others.events).toHaveLength(2));
    await send(tenant);
    await eventually(() => expect(stream.events).toHaveLength(2));
    expect(stream.events.map(({ data }) => data.data.messages.length)).toEqual([0, 1]);
    expect(others.events).toHaveLength(2);
  });

  it('sends a sign of life while nothing changes, so that pages notice a dead connection', async () => {
    const tenant = await addShop();
    const stream = await listen(await dashboardApi(service(), 'viewer', { tenantId: tenant.id }), MESSAGES);
    await eventually(() => expect(stream.signsOfLife).toBeGreaterThan(0), { patience: 60_000 });
    expect(stream.events).toHaveLength(1);
  }, 90_000);

  it('says that the session has ended, and ends too', async () => {
    const api = await dashboardApi(service(), 'viewer');
    const stream = await listen(api, MESSAGES);
    await api.request('DELETE', '/dashboard/api/session');
    await stream.ended;
    expect(stream.events.at(-1)).toEqual({ name: 'gone', data: {} });
  });

  it('is not looked up any more when its reader has disconnected', async () => {
    const tenant = await addShop();
    const api = await dashboardApi(service(), 'viewer', { tenantId: tenant.id });
    const { message_log_id: id } = (await send(tenant)).body.data;
    const lists = jest.spyOn(service().app.get(MessageQueries, { strict: false }), 'search');
    const [stream, other] = [await listen(api, MESSAGES), await listen(api, `${MESSAGES}/${id}`)];
    await eventually(() => expect(lists.mock.calls.length).toBeGreaterThan(2));
    stream.leave();
    await stream.ended;
    // Another stream shows that the lookups go on: each of these changes is seen by a later one.
    const seen = async (attempts: number) => {
      await sql(`UPDATE outbox SET attempts = ${attempts} WHERE message_log_id = ${id}`);
      await eventually(() => expect(other.events.at(-1)?.data.data.attempts).toBe(attempts));
    };
    await seen(1);
    await seen(2);
    const asked = lists.mock.calls.length;
    await seen(3);
    await seen(4);
    expect(lists.mock.calls).toHaveLength(asked);
  });

  it('is looked up once for all who follow the same view', async () => {
    const tenant = await addShop();
    const lists = jest.spyOn(service().app.get(MessageQueries, { strict: false }), 'search');
    const users = await Promise.all(
      ['a', 'b'].map(() => dashboardApi(service(), 'viewer', { tenantId: tenant.id })),
    );
    const streams = await Promise.all([...users, ...users, ...users].map((api) => listen(api, MESSAGES)));
    const looks = async (count: number) => {
      const asked = lists.mock.calls.length;
      await eventually(() => expect(lists.mock.calls.length).toBeGreaterThanOrEqual(asked + count));
    };
    await looks(1);
    const begin = performance.now();
    await looks(4);
    // Six lookups of their own would have made these calls within a second. A slow machine takes longer.
    expect(performance.now() - begin).toBeGreaterThan(2_000);
    await send(tenant);
    await eventually(() => expect(streams.map(({ events }) => events.length)).toEqual([2, 2, 2, 2, 2, 2]));
    expect(new Set(streams.map(({ events }) => JSON.stringify(events[1]))).size).toBe(1);
    streams[0]?.leave();
    await send(tenant);
    await eventually(() =>
      expect(streams.map(({ events }) => events.length).slice(1)).toEqual([3, 3, 3, 3, 3]),
    );
  });

  it('shows alerts of the service to operators alone, although others follow the same view', async () => {
    const alerts = '/dashboard/api/alerts';
    const operator = await listen(await dashboardApi(service(), 'owner', { operator: true }), alerts);
    const owner = await listen(await dashboardApi(service(), 'owner'), alerts);
    const viewer = await listen(await dashboardApi(service(), 'viewer'), alerts);
    await service().app.get(AlertsService, { strict: false }).raise({
      kind: 'unknown_account',
      severity: 'warning',
      tenantId: null,
      businessAccountId: null,
      subject: '1',
      text: 'For operators',
      details: {},
      occurredAt: service().clock.now(),
    });
    await eventually(() => expect(operator.events.at(-1)?.data.data[0]?.text).toBe('For operators'));
    const own = await sql(`INSERT INTO alerts (tenant_id, kind, severity, subject, text, details, occurred_at)
      VALUES ('${service().tenantId}', 'account_violation', 'info', '2', 'For all', '{}', now()) RETURNING id`);
    expect(own).toHaveLength(1);
    for (const { events } of [owner, viewer])
      await eventually(() =>
        expect(events.at(-1)?.data.data).toEqual([expect.objectContaining({ text: 'For all' })]),
      );
    expect(JSON.stringify([owner.events, viewer.events])).not.toContain('For operators');
  });

  it('ends when the user gets another role, so that the page asks again', async () => {
    const tenant = await addShop();
    const api = await dashboardApi(service(), 'editor', { tenantId: tenant.id });
    const stream = await listen(api, MESSAGES);
    await sql(`UPDATE dashboard_users SET role = 'viewer' WHERE tenant_id = '${tenant.id}'`);
    await stream.ended;
    expect(stream.events.map(({ name }) => name)).toEqual(['data']);
    expect((await listen(api, MESSAGES)).status).toBe(200);
  });

  it('is limited to twenty for each session, with room for another when one ends', async () => {
    const [api, other] = [await dashboardApi(service(), 'viewer'), await dashboardApi(service(), 'viewer')];
    const follow = () => api.get(MESSAGES, { Accept: 'text/event-stream' });
    const gone = await api.get(`${MESSAGES}/999999`, { Accept: 'text/event-stream' });
    expect(gone).toBeError(404, 'MESSAGE_NOT_FOUND');
    const streams: Stream[] = [];
    for (let i = 1; i <= 20; i += 1) streams.push(await listen(api, `${MESSAGES}?limit=${i}`));
    expect(streams.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const refusal = await follow();
    expect(refusal).toBeError(429, 'RATE_LIMITED', []);
    expect(refusal.headers.get('Retry-After')).toBe('5');
    expect(refusal.body.error.message).toMatch(/20 live views already: close tabs/);
    expect((await listen(other, MESSAGES)).status).toBe(200);
    expect((await api.get(MESSAGES)).status).toBe(200);
    streams[7]?.leave();
    await eventually(async () => expect((await listen(api, MESSAGES)).status).toBe(200));
    expect(await follow()).toBeError(429, 'RATE_LIMITED', []);
  });

  it('goes on after the database was unavailable for a moment', async () => {
    const tenant = await addShop();
    const api = await dashboardApi(service(), 'viewer', { tenantId: tenant.id });
    const stream = await listen(api, MESSAGES);
    await sql('ALTER TABLE message_logs RENAME TO message_logs_away');
    await eventually(async () => expect((await api.get(MESSAGES)).status).toBe(500));
    await sql('ALTER TABLE message_logs_away RENAME TO message_logs');
    await send(tenant);
    await eventually(() => expect(stream.events).toHaveLength(2));
  });

  it.each([
    ['without a session', () => new Api(service().url, null), MESSAGES, 401],
    ['with an invalid filter', () => dashboardApi(service(), 'viewer'), `${MESSAGES}?status=done`, 400],
    ['of a message that does not exist', () => dashboardApi(service(), 'viewer'), `${MESSAGES}/999999`, 404],
  ])('%s is refused like an ordinary one', async (_what, caller, path, status) => {
    const api = await caller();
    expect(await api.get(path, { Accept: 'text/event-stream' })).toMatchObject({ status });
  });
});

describe('A service that stops', () => {
  it('ends its live answers', async () => {
    const stopping = await startTestService();
    const stream = await listen(await dashboardApi(stopping, 'viewer'), MESSAGES);
    await stopping.stop();
    await expect(stream.ended).resolves.toBeUndefined();
  });
});
