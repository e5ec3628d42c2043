import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Api } from './support/api.js';
import { eventually } from './support/eventually.js';
import { EventReceiver } from './support/event-receiver.js';
import './support/matchers.js';
import { startSecondService, startTestService, type TestService } from './support/service.js';

const PATH = '/api/v1/webhook-endpoints';

let service: TestService;
const receivers: EventReceiver[] = [];

let phones = 6_000;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
afterEach(async () => {
  for (const { webhook_endpoint_id: id } of (await service.api.get(PATH)).body.data as any[])
    await service.api.request('DELETE', `${PATH}/${id}`);
  for (const one of receivers.splice(0)) await one.stop();
});

async function receive(): Promise<EventReceiver> {
  const started = await EventReceiver.start();
  receivers.push(started);
  return started;
}

async function addEndpoint() {
  const receiver = await receive();
  const { status, body } = await service.api.post(PATH, { url: receiver.url });
  if (status !== 201) throw new Error(`No endpoint was made: ${JSON.stringify(body)}`);
  const id: string = body.data['webhook_endpoint_id'];
  return { id, secret: body.data['secret'] as string, receiver };
}

const change = (id: string, changes: Record<string, unknown>) =>
  service.api.request('PATCH', `${PATH}/${id}`, JSON.stringify(changes), {
    'Content-Type': 'application/json',
  });

/** @returns the id of a message whose events are on their way */
async function send(): Promise<number> {
  const { body } = await service.api.send(`+1202555${phones++}`);
  return body.data['message_log_id'];
}

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
