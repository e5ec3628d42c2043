import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import type { Api } from './support/api.js';
import { eventually } from './support/eventually.js';
import { EventReceiver, type Received } from './support/event-receiver.js';
import './support/matchers.js';
import { startSecondService, type TestService } from './support/service.js';
import { ENDPOINTS as PATH, useEndpoints } from './support/webhook-endpoints.js';

const HOUR = 3_600_000;

let phones = 6_000;

const { service: started, receive, add: addEndpoint } = useEndpoints();
let service: TestService;
beforeAll(() => {
  service = started();
});

const change = (id: string, changes: Record<string, unknown>) =>
  service.api.request('PATCH', `${PATH}/${id}`, JSON.stringify(changes), {
    'Content-Type': 'application/json',
  });

/** @returns the id of a message whose events are on their way */
async function send(): Promise<number> {
  const { body } = await service.api.send(`+1202555${phones++}`);
  return body.data['message_log_id'];
}

/** Adds an endpoint, and waits until a request with events to it hangs. */
async function addHanging() {
  const added = await addEndpoint();
  added.receiver.status = null;
  await send();
  await eventually(() => expect(added.receiver.atOnce).toBe(1));
  return added;
}

describe('An endpoint that hangs while it is changed', () => {
  it('is posted to once at a time all the same', async () => {
    const { id, receiver } = await addHanging();
    const after = receiver.requests[0]?.events[0]?.cursor;
    const changes = [
      () => change(id, { description: 'changed' }),
      () => service.api.post(`${PATH}/${id}/rotate-secret`),
      () => service.api.post(`${PATH}/${id}/replay`, { after }),
    ];
    for (const one of changes) {
      const { length } = receiver.requests;
      expect((await one()).status).toBe(200);
      await eventually(() => expect(receiver.requests.length).toBeGreaterThan(length));
    }
    expect(receiver.mostAtOnce).toBe(1);
  });

  it('is not judged by what its former address answers later', async () => {
    const { id, receiver: former } = await addHanging();
    const next = await receive();
    next.status = null;
    expect((await change(id, { url: next.url })).status).toBe(200);
    await eventually(() => expect(next.atOnce).toBe(1));
    former.answer(500);
    next.status = 200;
    next.answer(200);
    const path = `${PATH}/${id}/deliveries`;
    await eventually(async () => expect((await service.api.get(path)).body.data).not.toEqual([]));
    const attempts = (await service.api.get(path)).body.data as unknown as { delivered: boolean }[];
    expect(attempts.filter(({ delivered }) => !delivered)).toEqual([]);
    expect((await service.api.get(`${PATH}/${id}`)).body.data['failures']).toBe(0);
  });

  it.each([
    ['disabled', (id: string) => change(id, { enabled: false })],
    ['deleted', (id: string) => service.api.request('DELETE', `${PATH}/${id}`)],
  ])('is left when it is %s', async (_, leave) => {
    const { id, receiver } = await addHanging();
    expect((await leave(id)).status).toBe(200);
    // Long before the time that it has for an answer is over.
    await eventually(() => expect(receiver.atOnce).toBe(0), { patience: 8_000 });
  });
});

describe('The secret of an endpoint', () => {
  const rotate = async (id: string): Promise<string> => {
    const { status, body } = await service.api.post(`${PATH}/${id}/rotate-secret`);
    if (status !== 200) throw new Error(`No other secret: ${JSON.stringify(body)}`);
    return body.data['secret'];
  };

  /** @returns what a test of the endpoint has posted */
  async function tested(id: string, { requests }: EventReceiver): Promise<Received> {
    await service.api.post(`${PATH}/${id}/test`);
    return requests.at(-1) as Received;
  }

  const verify = ({ body, headers }: Received, secret: string) =>
    new Webhook(secret).verify(body, headers as Record<string, string>);

  const signatures = ({ headers }: Received) => headers['webhook-signature']?.toString().split(' ').length;

  it('signs a test together with the former one, as it signs events', async () => {
    const { id, secret, receiver } = await addEndpoint();
    const next = await rotate(id);
    const request = await tested(id, receiver);
    for (const one of [secret, next]) expect(() => verify(request, one)).not.toThrow();
    service.clock.forward(25 * HOUR);
    expect(signatures(await tested(id, receiver))).toBe(1);
  });

  it('signs for 24 hours after it was replaced, also when the next is replaced as well', async () => {
    const { id, secret, receiver } = await addEndpoint();
    const second = await rotate(id);
    service.clock.forward(23 * HOUR);
    const third = await rotate(id);
    const request = await tested(id, receiver);
    for (const one of [secret, second, third]) expect(() => verify(request, one)).not.toThrow();
    service.clock.forward(2 * HOUR);
    const later = await tested(id, receiver);
    expect(signatures(later)).toBe(2);
    expect(() => verify(later, secret)).toThrow('No matching signature found');
  });

  it('signs, whoever of several that replaced it at once was given it', async () => {
    const { id, secret, receiver } = await addEndpoint();
    const given = await Promise.all(Array.from({ length: 5 }, () => rotate(id)));
    const request = await tested(id, receiver);
    for (const one of [secret, ...given]) expect(() => verify(request, one)).not.toThrow();
  });

  it('can be replaced 20 times in 24 hours', async () => {
    const { id } = await addEndpoint();
    for (let i = 0; i < 20; i += 1) await rotate(id);
    const refused = await service.api.post(`${PATH}/${id}/rotate-secret`);
    expect(refused).toBeError(429, 'RATE_LIMITED');
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(23 * 3_600);
    service.clock.forward(25 * HOUR);
    await rotate(id);
  });
});

describe('An endpoint that is made while a transaction takes long', () => {
  let fresh: { api: Api; stop(): Promise<void> };

  beforeAll(async () => {
    fresh = await startSecondService(service);
  });
  afterAll(() => fresh.stop());

  it('is refused by a process that cannot tell where the stream ends, and gets nothing of before later', async () => {
    const before = await send();
    await eventually(async () => expect((await service.api.message(before))['status']).toBe('read'));
    const receiver = await receive();
    await service.database.transaction(async (connection) => {
      await connection.run({ name: '', text: 'SELECT pg_current_xact_id()' });
      const answer = await fresh.api.post(PATH, { url: receiver.url });
      expect(answer).toBeError(503, 'SERVICE_UNAVAILABLE');
      expect(answer.headers.get('Retry-After')).toBe('5');
    });
    expect((await service.api.get(PATH)).body.data).toEqual([]);
    expect((await fresh.api.post(PATH, { url: receiver.url })).status).toBe(201);
    const later = await send();
    const told = () => new Set(receiver.taken.map(({ data }) => data['message_log_id']));
    await eventually(() => expect(told()).toEqual(new Set([later])));
  });
});

it('An endpoint that is disabled gets what is replayed when it is enabled', async () => {
  const { id, receiver } = await addEndpoint();
  await send();
  await eventually(() => expect(receiver.taken.length).toBeGreaterThanOrEqual(4));
  await change(id, { enabled: false });
  const [first, second] = receiver.taken;
  receiver.taken.length = 0;
  const replay = await service.api.post(`${PATH}/${id}/replay`, { after: first?.cursor });
  expect(replay.status).toBe(200);
  expect((await service.api.get(`${PATH}/${id}`)).body.data['enabled']).toBe(false);
  expect(receiver.taken).toEqual([]);
  await change(id, { enabled: true });
  await eventually(() => expect(receiver.taken[0]?.id).toBe(second?.id));
});
