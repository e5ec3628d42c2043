import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { EventNews } from '../../src/events/event-news.service.js';
import { encodePosition, WHOLE } from '../../src/events/position.js';
import { EVENT_EXAMPLES } from '../../src/messages/events/dto/event-examples.dto.js';
import type { Answer } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import '../support/matchers.js';
import { startSecondService, startTestService, type TestService } from '../support/service.js';

const PATH = '/api/v1/events';
const MOST_WAITING = 20;

interface Event {
  id: string;
  type: string;
  cursor: string;
  data: Record<string, unknown>;
}

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterEach(() => void jest.restoreAllMocks());
afterAll(() => service.stop());

let exchange = 300;
const phoneOf = (suffix: string) => `1202${(exchange += 1)}${suffix}`;

const read = (query = '', api = service.api) => api.get(`${PATH}${query}`);
const eventsOf = ({ body }: Answer) => body.data as unknown as Event[];
const next = (answer: Answer) => answer.body.next_cursor as string;
const end = async () => {
  for (let answer = await read('?limit=1000'); ; answer = await read(`?limit=1000&after=${next(answer)}`))
    if (eventsOf(answer).length === 0) return next(answer);
};

async function send(suffix: string, changes: Record<string, unknown> = {}): Promise<number> {
  const answer = await service.api.send(phoneOf(suffix), changes);
  expect(answer.status).toBe(202);
  return answer.body.data['message_log_id'];
}

/** Asks until the message has had so many events after the cursor. */
const eventsOfMessage = (id: number, after: string, count: number) =>
  eventually(async () => {
    const answer = await read(`?after=${after}`);
    const own = eventsOf(answer).filter(({ data }) => data['message_log_id'] === id);
    expect(own).toHaveLength(count);
    return own;
  });

/** Those of messages that are sent; what recipients write is tested by itself. */
const OF_MESSAGES = EVENT_EXAMPLES.filter(
  ({ type }) => type.startsWith('message.') && type !== 'message.inbound',
);

describe('GET /api/v1/events', () => {
  it('lists what has happened since a cursor, with the fields of the documented examples', async () => {
    const start = await end();
    const reference = { client_reference: 'order-A-1001', metadata: { shop: 'Dubai' } };
    const ids = [
      await send('0100', reference),
      await send('0110'),
      await send('0113', { auto_retry_on_frequency_cap: true }),
    ];
    const scheduled_at = new Date(Date.now() + 86_400_000).toISOString();
    ids.push(await send('0100', { scheduled_at, timezone: 'UTC' }));
    await service.api.post(`/api/v1/messages/${ids[3]}/cancel`);
    for (const [place, count] of [4, 2, 3, 2].entries())
      await eventsOfMessage(ids[place] as number, start, count);
    const events = eventsOf(await read(`?after=${start}`));
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(OF_MESSAGES.map(({ type }) => type)));
    for (const { type, data } of OF_MESSAGES) {
      const fields = Object.keys(events.find((event) => event.type === type)?.data ?? {});
      expect({ type, fields }).toEqual({ type, fields: Object.keys(data) });
    }
  });

  it('goes on page by page, of some types or of all, and tells where to go on when there is nothing', async () => {
    const all: Event[] = [];
    let after = '';
    do {
      const page = await read(`?limit=3${after && `&after=${after}`}`);
      if (eventsOf(page).length === 0) break;
      all.push(...eventsOf(page));
      after = next(page);
    } while (after);
    expect(all.length).toBeGreaterThan(10);
    const failed = eventsOf(await read('?types=message.failed,message.retried'));
    expect(failed).toEqual(all.filter(({ type }) => /failed|retried/.test(type)));
    const none = await read(`?types=message.canceled&after=${after}`);
    expect(none.body.data).toEqual([]);
    expect(eventsOf(await read(`?after=${next(none)}`))).toEqual([]);
    expect(eventsOf(await read(`?after=${all[4]!.cursor}&limit=2`))).toEqual(all.slice(5, 7));
  });

  it.each([
    ['types=message.lost', 'types'],
    ['types=', 'types'],
    ['after=abc', 'after'],
    ['after=', 'after'],
    ['limit=1001', 'limit'],
    ['wait=-1', 'wait'],
    ['since=1', 'since'],
  ])('refuses %s', async (query, field) => {
    const answer = await read(`?${query}`);
    expect(answer).toBeError(400, 'VALIDATION_FAILED');
    expect(answer.body.error.details).toEqual([expect.objectContaining({ field })]);
  });

  it('refuses a cursor from beyond the end, as of a database that was restored since', async () => {
    const cursor = encodePosition({ entry: 1_000_000, ordinal: WHOLE });
    expect(await read(`?after=${cursor}`)).toBeError(410, 'CURSOR_EXPIRED');
  });
});

describe('Waiting for events', () => {
  it('ends with the first one, at once', async () => {
    const after = await end();
    const waiting = read(`?after=${after}&wait=20&types=message.accepted`);
    const id = await send('0100');
    const [event] = eventsOf(await waiting);
    expect(event).toMatchObject({ type: 'message.accepted', data: { message_log_id: id } });
    await eventsOfMessage(id, after, 4);
  });

  it('ends without one when the time is over', async () => {
    const answer = await read(`?after=${await end()}&wait=1`);
    expect(answer).toMatchObject({ status: 200, body: { data: [] } });
  });

  it('is for some requests of a tenant only, and gives a place free when its caller leaves', async () => {
    const after = await end();
    const waits = jest.spyOn(service.app.get(EventNews, { strict: false }), 'wait');
    const leave = new AbortController();
    const headers = { Authorization: `Bearer ${service.api.key}` };
    const wait = () =>
      fetch(`${service.url}${PATH}?after=${after}&wait=20`, { headers, signal: leave.signal });
    const waiting = Array.from({ length: MOST_WAITING }, () => wait().catch((error: Error) => error.name));
    await eventually(() => expect(waits).toHaveBeenCalledTimes(MOST_WAITING));
    const refused = await read(`?after=${after}&wait=1`);
    expect(refused).toBeError(429, 'RATE_LIMITED');
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect((await read(`?after=${after}`)).status).toBe(200);
    leave.abort();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['AbortError']));
    await eventually(async () => expect((await read(`?after=${after}&wait=1`)).status).toBe(200));
  });

  it('ends with an answer when the process stops', async () => {
    const second = await startSecondService(service);
    const after = await end();
    const waits = jest.spyOn(second.app.get(EventNews, { strict: false }), 'wait');
    const waiting = read(`?after=${after}&wait=20`, second.api);
    await eventually(() => expect(waits).toHaveBeenCalled());
    await second.stop();
    expect(await waiting).toMatchObject({ status: 200, body: { data: [] } });
  });
});
