import { describe, expect, it } from '@jest/globals';
import { EventStream, type EventPage } from '../src/messages/events/event-stream.service.js';
import type { StreamEvent } from '../src/messages/events/message-event.js';
import { decodePosition, type Position } from '../src/events/position.js';
import { MessageLogStore } from '../src/messages/message-log.store.js';
import { ExpiryService } from '../src/scheduling/expiry.service.js';
import { DEMO } from '../src/embedded/demo.js';
import { tagOf } from './support/copies.js';
import { eventually } from './support/eventually.js';
import { runSql } from './support/operator.js';
import type { TestService } from './support/service.js';
import { useTestService } from './support/test-service.js';
import { deliver, receipt } from './support/webhooks.js';

const DAY = 86_400_000;

/** Recipients of the sandbox: read; sent without further receipts; refused; 131049 in the answer. */
const [READ, SENT_ONLY, REFUSED, CAP] = ['0100', '0102', '0110', '0113'];

const streamOf = ({ app }: TestService) => app.get(EventStream, { strict: false });

/** All events of the tenant after a position, page by page, and where the last page ended. */
async function readAll(service: TestService, after: Position | null = null, limit = 1_000) {
  const events: StreamEvent[] = [];
  let page: EventPage = { events, next: after as Position, readTo: null };
  while (page.readTo === null) {
    page = await streamOf(service).read(service.tenantId, page.next, { limit });
    events.push(...page.events);
  }
  return { events, next: page.next };
}

/** The types of a message's events, in their order, without their common beginning. */
async function lifeOf(service: TestService, id: number): Promise<string[]> {
  const { events } = await readAll(service);
  return events
    .filter(({ data }) => data['message_log_id'] === id)
    .map(({ type }) => type.replace('message.', ''));
}

describe('The stream of events', () => {
  const service = useTestService();
  const sql = (text: string, values: unknown[] = []) => runSql(service(), text, values);

  let exchange = 200;
  const phoneOf = (suffix: string) => `1202${(exchange += 1)}${suffix}`;

  async function send(suffix: string, changes: Record<string, unknown> = {}): Promise<number> {
    const answer = await service().api.send(phoneOf(suffix), changes);
    expect(answer.status).toBe(202);
    return answer.body.data['message_log_id'];
  }

  const expectLife = (id: number, ...types: string[]) =>
    eventually(async () => expect(await lifeOf(service(), id)).toEqual(types));

  const receiptComes = async (id: number, ...fields: Record<string, unknown>[]) => {
    const biz_opaque_callback_data = await tagOf(service(), id);
    const { phone } = await service().api.message(id);
    for (const field of fields) {
      const value = receipt({ biz_opaque_callback_data, recipient_id: phone, ...field });
      expect((await deliver(service(), [DEMO.wabaId, 'messages', value])).status).toBe(200);
    }
    await eventually(async () =>
      expect(await sql('SELECT 1 FROM webhook_inbox WHERE processed_at IS NULL')).toEqual([]),
    );
  };

  it('tells the life of a message in its order, with its data', async () => {
    const id = await send(READ!);
    await expectLife(id, 'accepted', 'sent', 'delivered', 'read');
    const { events } = await readAll(service());
    const own = events.filter(({ data }) => data['message_log_id'] === id);
    const message = await service().api.message(id);
    const common = {
      message_log_id: id,
      messaging_account_id: DEMO.numbers[0].apiId,
      phone: message['phone'],
      template: { name: 'order_update', language: 'en_US' },
      category: 'UTILITY',
      cost: message['cost'],
      currency: 'USD',
      scheduled_at: null,
    };
    const { provider_message_id } = message;
    expect(own.map(({ data }) => data)).toEqual([
      { ...common, status: 'queued' },
      { ...common, status: 'sent', provider_message_id },
      { ...common, status: 'delivered', provider_message_id },
      { ...common, status: 'read', provider_message_id },
    ]);
    const times = ['created_at', 'sent_at', 'delivered_at', 'read_at'].map((field) => message[field]);
    expect(own.map(({ occurred_at }) => occurred_at)).toEqual(times);
    expect(new Set(events.map((event) => event.id)).size).toBe(events.length);
  });

  it('tells what a receipt has jumped over, and nothing of one that comes late or again', async () => {
    const id = await send(SENT_ONLY!);
    await expectLife(id, 'accepted', 'sent');
    const { provider_message_id } = await service().api.message(id);
    const read = { id: provider_message_id, status: 'read' };
    await receiptComes(id, read, { ...read, status: 'delivered' }, { ...read, status: 'sent' }, read);
    await expectLife(id, 'accepted', 'sent', 'delivered', 'read');
  });

  it('tells a failure with its error, which stays when a receipt wins over it', async () => {
    const id = await send(REFUSED!);
    await expectLife(id, 'accepted', 'failed');
    const { error } = await service().api.message(id);
    expect(error.code).toEqual(expect.any(Number));
    await receiptComes(id, { id: 'wamid.after-failure', status: 'delivered' });
    await expectLife(id, 'accepted', 'failed', 'delivered');
    const { events } = await readAll(service());
    const failed = events.find(
      ({ type, data }) => type === 'message.failed' && data['message_log_id'] === id,
    );
    expect(failed?.data).toMatchObject({ status: 'failed', error });
    expect(failed?.data).not.toHaveProperty('provider_message_id');
    expect((await service().api.message(id))['error']).toBeNull();
  });

  it('tells of a retry: the failed message, then its repetition', async () => {
    const id = await send(CAP!, { auto_retry_on_frequency_cap: true });
    await expectLife(id, 'accepted', 'failed', 'retried');
    const { events } = await readAll(service());
    const retried = events.find(({ type }) => type === 'message.retried')!;
    const retryId = retried.data['retry_message_log_id'] as number;
    const retry = await service().api.message(retryId);
    expect(retried.data).toMatchObject({
      message_log_id: id,
      status: 'failed',
      retry_at: retry['scheduled_at'],
    });
    const accepted = events.find(({ data }) => data['message_log_id'] === retryId)!;
    expect(accepted).toMatchObject({ type: 'message.accepted', data: { retry_of: id, status: 'scheduled' } });
    expect(events.indexOf(accepted)).toBeGreaterThan(events.indexOf(retried));
  });

  it('tells a cancellation', async () => {
    const scheduled_at = new Date(service().clock.now().getTime() + DAY).toISOString();
    const id = await send(READ!, { scheduled_at, timezone: 'UTC' });
    expect((await service().api.post(`/api/v1/messages/${id}/cancel`)).status).toBe(200);
    await expectLife(id, 'accepted', 'canceled');
  });

  it('has one entry for all messages that are accepted together, and reads on within it', async () => {
    const before = (await readAll(service())).next;
    const one = await send(READ!);
    const [row] = await sql('SELECT * FROM message_logs WHERE id = $1', [one]);
    const messages = Array.from({ length: 30 }, () => ({
      ...row,
      phone: phoneOf(READ!),
      template_revision: 0,
      due_at: new Date(service().clock.now().getTime() + DAY),
      auto_retry: false,
      category: row!['conversation_category'],
      idempotency_key: null,
      body_hash: null,
    }));
    const [{ revision }] = (await sql('SELECT revision FROM templates WHERE id = $1', [
      row!['template_id'],
    ])) as [any];
    const store = service().app.get(MessageLogStore, { strict: false });
    const accepted = await Promise.all(
      messages.map((message) => store.accept({ ...message, template_revision: revision } as never)),
    );
    const ids = accepted.map(({ id }) => id as number);
    const { events } = await readAll(service(), before, 7);
    const found = events.filter(({ data }) => ids.includes(data['message_log_id'] as number));
    expect(found.map(({ data }) => data['message_log_id'])).toEqual(ids.toSorted((a, b) => a - b));
    const entries = await sql(
      `SELECT id FROM event_stream WHERE messages && $1::bigint[] AND type = 'message.accepted'`,
      [ids],
    );
    expect(entries.length).toBeLessThan(5);
    // Each event's own cursor goes on behind it.
    const middle = found[10]!;
    const rest = (await readAll(service(), decodePosition(middle.cursor), 4)).events.map((event) => event.id);
    const wanted = events.slice(events.indexOf(middle) + 1).map((event) => event.id);
    expect(rest.slice(0, wanted.length)).toEqual(wanted);
  });

  it('ends what is old, and says so to those who have not read it', async () => {
    const start = (await readAll(service(), null, 1)).events[0]!;
    await expectLife(await send(SENT_ONLY!), 'accepted', 'sent');
    const { next } = await readAll(service());
    service().clock.forward(31 * DAY);
    await service().app.get(ExpiryService, { strict: false }).events();
    expect((await readAll(service())).events).toEqual([]);
    expect((await readAll(service(), next)).events).toEqual([]);
    await expect(readAll(service(), decodePosition(start.cursor))).rejects.toMatchObject({
      code: 'CURSOR_EXPIRED',
    });
    const beyond = { ...next, entry: next.entry + 1_000_000 };
    await expect(readAll(service(), beyond)).rejects.toMatchObject({ code: 'CURSOR_EXPIRED' });
  });
});
