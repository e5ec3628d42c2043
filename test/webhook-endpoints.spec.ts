import { beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { EventStream } from '../src/messages/events/event-stream.service.js';
import { PRIVATE_ADDRESS } from '../src/webhook-endpoints/domain/endpoint-address.js';
import { EndpointHttp } from '../src/webhook-endpoints/endpoint-http.js';
import { EndpointPump } from '../src/webhook-endpoints/endpoint-pump.service.js';
import { EndpointPushStore, type LeasedEndpoint } from '../src/webhook-endpoints/endpoint-push.store.js';
import { sendBody } from './support/api.js';
import { eventually } from './support/eventually.js';
import { EventReceiver, type Received } from './support/event-receiver.js';
import './support/matchers.js';
import type { TestService } from './support/service.js';
import { ENDPOINTS as PATH, useEndpoints } from './support/webhook-endpoints.js';

const HOUR = 3_600_000;

const { service: started, receive, add } = useEndpoints();
let service: TestService;
let receiver: EventReceiver;
beforeAll(() => {
  service = started();
});

let phones = 3_000;
const nextPhone = () => `+1202555${phones++}`;

/** Makes an endpoint, and `receiver` what it leads to. */
async function addEndpoint(settings: Record<string, unknown> = {}): Promise<{ id: string; secret: string }> {
  const { receiver: its, ...made } = await add(settings);
  receiver = its;
  return made;
}

const change = async (id: string, changes: Record<string, unknown>) => {
  const body = JSON.stringify(changes);
  return service.api.request('PATCH', `${PATH}/${id}`, body, { 'Content-Type': 'application/json' });
};
const find = async (id: string) => (await service.api.get(`${PATH}/${id}`)).body.data;

/** Sends a message and waits until it has been read. @returns its id */
async function send(): Promise<number> {
  const { body } = await service.api.send(nextPhone());
  const id: number = body.data['message_log_id'];
  await eventually(async () => expect((await service.api.message(id))['status']).toBe('read'));
  return id;
}

/** Sends so many messages at once, and waits until they have been read. */
async function sendMany(count: number): Promise<void> {
  const messages = Array.from({ length: count }, () => sendBody(nextPhone()));
  const { body } = await service.api.post('/api/v1/messages/batch', { messages });
  for (const { message_log_id: id } of body.data['results'] as { message_log_id: number }[])
    await eventually(async () => expect((await service.api.message(id))['status']).toBe('read'));
}

const sql = (text: string) => service.database.run<Record<string, any>>({ name: '', text });

const typesOf = (id: number, of = receiver) =>
  of.taken.filter(({ data }) => data['message_log_id'] === id).map(({ type }) => type);

const LIFE = ['message.accepted', 'message.sent', 'message.delivered', 'message.read'];

const untilTaken = (id: number, of = receiver) => eventually(() => expect(typesOf(id, of)).toEqual(LIFE));

const verify = ({ body, headers }: Received, secret: string) =>
  new Webhook(secret).verify(body, headers as Record<string, string>);

describe('An endpoint', () => {
  it('gets what happens from then on, in order, signed as Standard Webhooks has it', async () => {
    await send();
    const { secret } = await addEndpoint();
    const ids = [await send(), await send()];
    for (const id of ids) await untilTaken(id);
    for (const request of receiver.requests)
      expect(verify(request, secret)).toEqual(JSON.parse(request.body));
    const stream = service.app.get(EventStream, { strict: false });
    const { events: all } = await stream.read(service.tenantId, null, { limit: 1_000 });
    const place = all.findIndex((event) => event.id === receiver.taken[0]?.id);
    expect(receiver.taken).toEqual(all.slice(place, place + receiver.taken.length));
    expect(new Set(receiver.taken.map(({ id }) => id)).size).toBe(receiver.taken.length);
  });

  it('gets the types that it wants only', async () => {
    await addEndpoint({ types: ['message.read'] });
    const id = await send();
    await eventually(() => expect(typesOf(id)).toEqual(['message.read']));
    expect(new Set(receiver.taken.map(({ type }) => type))).toEqual(new Set(['message.read']));
  });

  it('that fails gets the same again after a while, and nothing else before', async () => {
    const { id } = await addEndpoint();
    receiver.status = 500;
    const message = await send();
    await eventually(async () => {
      const { failures } = await find(id);
      expect(failures).toBeGreaterThanOrEqual(1);
    });
    expect(receiver.taken).toEqual([]);
    const { next_try_at, failing_since, enabled } = await find(id);
    expect(Date.parse(next_try_at)).toBeGreaterThan(Date.parse(failing_since));
    expect(enabled).toBe(true);
    receiver.status = 200;
    service.clock.forward(2 * HOUR);
    await untilTaken(message);
    await eventually(async () => expect(await find(id)).toMatchObject({ failures: 0, failing_since: null }));
  });

  it('that fails is tried at once when its owner says that it is back', async () => {
    const { id } = await addEndpoint();
    receiver.status = 500;
    const message = await send();
    await eventually(async () => expect((await find(id))['failures']).toBeGreaterThanOrEqual(1));
    receiver.status = 200;
    expect((await change(id, { enabled: true })).body.data).toMatchObject({
      enabled: true,
      failing_since: null,
    });
    await untilTaken(message);
  });

  it('that fails once more after it has taken something waits as after its first failure', async () => {
    const { id } = await addEndpoint();
    receiver.status = null;
    await change(id, { enabled: false });
    await sendMany(40);
    await sql(
      `UPDATE webhook_endpoints SET disabled_at = NULL, failures = 4, next_try_at = now() WHERE id = '${id}'`,
    );
    for (const [count, status] of [200, 503].entries()) {
      await eventually(() => expect([receiver.requests.length, receiver.atOnce]).toEqual([count + 1, 1]));
      receiver.answer(status);
    }
    await eventually(async () => expect(await find(id)).toMatchObject({ failures: 1 }));
    const [row] = await sql(
      `SELECT next_try_at - failing_since AS wait FROM webhook_endpoints WHERE id = '${id}'`,
    );
    expect(row).toMatchObject({ wait: { seconds: 5 } });
  });

  it('gets nothing from a worker that has stood still, and has lost it to another', async () => {
    const { id } = await addEndpoint();
    await change(id, { enabled: false });
    await send();
    const [row] = await sql(`
      UPDATE webhook_endpoints SET leased_by = gen_random_uuid() WHERE id = '${id}'
      RETURNING *, gen_random_uuid() AS lease`);
    const endpoint = {
      ...row,
      formerSecrets: [],
      sure_until: performance.now(),
      turn_until: Infinity,
    } as unknown as LeasedEndpoint;
    await service.app.get(EndpointPump, { strict: false }).run(endpoint, new AbortController().signal);
    expect(receiver.requests).toEqual([]);
  });

  it('that fails for 72 hours is disabled, with an alert, and goes on from there when it is enabled', async () => {
    const { id } = await addEndpoint();
    receiver.status = 503;
    const message = await send();
    await eventually(async () => expect((await find(id))['failures']).toBeGreaterThanOrEqual(1));
    service.clock.forward(73 * HOUR);
    await eventually(async () => expect((await find(id))['enabled']).toBe(false));
    const alerts = await openAlerts(id);
    expect(alerts).toHaveLength(1);
    receiver.status = 200;
    const later = await send();
    expect(receiver.taken).toEqual([]);
    expect((await change(id, { enabled: true })).body.data['enabled']).toBe(true);
    await untilTaken(message);
    await untilTaken(later);
    expect(await openAlerts(id)).toEqual([]);
  });

  it('that hangs delays no other', async () => {
    await addEndpoint();
    const hanging = receiver;
    hanging.status = null;
    await addEndpoint();
    const id = await send();
    await untilTaken(id);
    await eventually(() => expect(hanging.requests).not.toEqual([]));
    expect(hanging.taken).toEqual([]);
  });

  it('that hangs delays no other of the same host', async () => {
    await addEndpoint();
    for (let i = 0; i < 4; i += 1) await service.api.post(PATH, { url: `${receiver.url}?hang` });
    await eventually(async () => expect(await resting()).toBe(5));
    await untilTaken(await send());
    await untilTaken(await send());
    // The others still wait for their first answer.
    const all = (await service.api.get(PATH)).body.data as unknown as { failing_since: string | null }[];
    expect(all.filter(({ failing_since }) => failing_since)).toEqual([]);
  });

  it('of a worker that died with news for it is taken over when its lease has ended', async () => {
    const { id } = await addEndpoint();
    const abandoned = receiver;
    const store = service.app.get(EndpointPushStore, { strict: false });
    // As soon as the service does not have it.
    await eventually(async () =>
      expect((await store.lease([service.tenantId], 10, 'any')).endpoints).toMatchObject([{ id }]),
    );
    await addEndpoint();
    const message = await send();
    await untilTaken(message); // by the other endpoint: the news have been heard, and bring nobody back to this one
    expect(abandoned.requests).toEqual([]);
    const end = `UPDATE webhook_endpoints SET leased_until = now() - interval '1 second' WHERE id = '${id}'`;
    await service.database.run({ name: '', text: end });
    await untilTaken(message, abandoned);
  });

  it('gives its place back when its turn is over, to go on later from there', async () => {
    const { id } = await addEndpoint();
    await change(id, { enabled: false });
    await sendMany(60);
    const [row] = await sql(`
      UPDATE webhook_endpoints SET leased_by = gen_random_uuid() WHERE id = '${id}'
      RETURNING *, leased_by AS lease`);
    const turn = { formerSecrets: [], sure_until: Infinity, turn_until: performance.now() };
    const endpoint = { ...row, ...turn } as unknown as LeasedEndpoint;
    const pump = service.app.get(EndpointPump, { strict: false });
    expect(await pump.run(endpoint, new AbortController().signal)).toBe(true);
    expect(receiver.taken).toHaveLength(100);
    await change(id, { enabled: true });
    await eventually(() => expect(receiver.taken).toHaveLength(240));
    expect(new Set(receiver.taken.map((event) => event.id)).size).toBe(240);
  });

  it('that is quick gets its events while more than may be posted to at once hang', async () => {
    const { id } = await addEndpoint();
    await eventually(async () => expect(await resting()).toBe(1));
    const others = `url = '${receiver.url}?hang'`;
    await sql(`
      INSERT INTO webhook_endpoints (tenant_id, url, secret, after_entry, after_ordinal, next_try_at, failures)
      SELECT tenant_id, '${receiver.url}?hang', secret, 0, 0, now(), 1
      FROM webhook_endpoints, generate_series(1, 600) WHERE id = '${id}'`);
    try {
      await eventually(() => expect(receiver.atOnce).toBeGreaterThan(100));
      await untilTaken(await send());
      await untilTaken(await send());
      // Meanwhile, some of the others have not even been posted to for long enough to be given up.
      const givenUp = await sql(`SELECT FROM webhook_endpoints WHERE attempts > 0 AND ${others}`);
      expect(givenUp.length).toBeLessThan(600);
    } finally {
      await sql(`DELETE FROM webhook_endpoints WHERE ${others}`);
    }
  });

  it('is not followed to where it redirects', async () => {
    const { id } = await addEndpoint();
    const elsewhere = await receive();
    receiver.status = 302;
    receiver.headers = { Location: elsewhere.url };
    await send();
    await eventually(async () => expect((await find(id))['failures']).toBeGreaterThanOrEqual(1));
    expect(elsewhere.requests).toEqual([]);
  });

  it('has its last deliveries on record', async () => {
    const { id } = await addEndpoint();
    receiver.status = 418;
    await send();
    const path = `${PATH}/${id}/deliveries?limit=1`;
    const { body } = await eventually(async () => {
      const answer = await service.api.get(path);
      expect(answer.body.data).toHaveLength(1);
      return answer;
    });
    expect((body.data as unknown as any[])[0]).toMatchObject({
      delivered: false,
      http_status: 418,
      error: 'The endpoint answered with 418.',
    });
  });

  it('can be tested beside the stream', async () => {
    const { id, secret } = await addEndpoint({ types: ['message.canceled'] });
    const { body } = await service.api.post(`${PATH}/${id}/test`);
    expect(body.data).toMatchObject({ delivered: true, http_status: 200, error: null });
    const [request] = receiver.requests;
    expect(request?.events.map(({ type }) => type)).toEqual(['webhook_endpoint.test']);
    verify(request as Received, secret);
    receiver.status = 500;
    const failed = await service.api.post(`${PATH}/${id}/test`);
    expect(failed.body.data).toMatchObject({ delivered: false, http_status: 500 });
    expect((await find(id))['failures']).toBe(0);
  });

  it('is signed to with its former secret as well for 24 hours', async () => {
    const { id, secret } = await addEndpoint();
    const { body } = await service.api.post(`${PATH}/${id}/rotate-secret`);
    const next: string = body.data['secret'];
    await untilTaken(await send());
    for (const one of [secret, next]) verify(receiver.requests.at(-1) as Received, one);
    service.clock.forward(25 * HOUR);
    const later = await service.api.send(nextPhone());
    // What the first message's receipts had on the way before that still comes with both.
    await eventually(() => {
      const request = receiver.requests.find(({ events }) =>
        events.some(({ data }) => data['message_log_id'] === later.body.data['message_log_id']),
      );
      expect(request?.headers['webhook-signature']?.toString().split(' ')).toHaveLength(1);
    });
  });

  it('gets everything behind a cursor again', async () => {
    const { id } = await addEndpoint();
    const message = await send();
    await untilTaken(message);
    const [first, ...others] = receiver.taken.map((event) => event.id);
    const after = receiver.taken[0]?.cursor;
    receiver.taken.length = 0;
    expect((await service.api.post(`${PATH}/${id}/replay`, { after })).status).toBe(200);
    await eventually(() => expect(receiver.taken.map((event) => event.id)).toEqual(others));
    expect(others).not.toContain(first);
    expect(await service.api.post(`${PATH}/${id}/replay`, { after: 'nonsense' })).toBeError(
      400,
      'VALIDATION_FAILED',
    );
  });

  it('that is deleted gets nothing more', async () => {
    const { id } = await addEndpoint();
    expect((await service.api.request('DELETE', `${PATH}/${id}`)).status).toBe(200);
    expect(await service.api.get(`${PATH}/${id}`)).toBeError(404, 'WEBHOOK_ENDPOINT_NOT_FOUND');
    await send();
    expect(receiver.requests).toEqual([]);
  });
});

describe('The URL of an endpoint', () => {
  it.each([
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[fd00::1]/',
    'http://example.com/',
    'https://user:secret@example.com/',
    'ftp://example.com/',
    'example.com',
  ])('is refused where it may not lead: %s', async (url) => {
    expect(await service.api.post(PATH, { url })).toBeError(422, 'URL_NOT_ALLOWED');
    const { id } = await addEndpoint();
    expect(await change(id, { url })).toBeError(422, 'URL_NOT_ALLOWED');
  });

  it('may not lead to the machine itself, by an address or by a name, where the provider is the real one', async () => {
    const config = { ...service.config, PROVIDER_BASE_URL: 'https://graph.facebook.com' };
    const http = new EndpointHttp(config);
    const { url } = await receive();
    for (const target of [url, url.replace('127.0.0.1', 'localhost'), url.replace('127.0.0.1', '[::1]')])
      expect(await http.post(target, {}, '{"events":[]}')).toMatchObject({
        status: null,
        error: PRIVATE_ADDRESS,
      });
    expect(await http.leadsAstray(url.replace('127.0.0.1', 'localhost'))).toBe(true);
    await http.onApplicationShutdown();
  });
});

it('A tenant has at most 20 endpoints, also when they are made at once', async () => {
  receiver = await receive();
  const made = await Promise.all(
    Array.from({ length: 22 }, () => service.api.post(PATH, { url: receiver.url })),
  );
  expect(made.map(({ status }) => status).toSorted()).toEqual([...Array<number>(20).fill(201), 400, 400]);
});

/** How many endpoints wait for news, as they have had everything. */
const resting = async () => {
  const text = `SELECT FROM webhook_endpoints WHERE leased_by IS NULL AND next_try_at > $1 AND failures = 0`;
  return (await service.database.run({ name: '', text }, [service.clock.now()])).length;
};

const openAlerts = (id: string) =>
  service.database.run({
    name: '',
    text: `SELECT FROM alerts WHERE kind = 'endpoint_disabled' AND subject = '${id}' AND ended_at IS NULL`,
  });
