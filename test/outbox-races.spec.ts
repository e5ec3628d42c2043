import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { AccountsService, type SendingAccount } from '../src/accounts/accounts.service.js';
import { Clock } from '../src/common/clock.js';
import { Config } from '../src/config/config.js';
import { Database } from '../src/database/database.js';
import { DEMO } from '../src/embedded/demo.js';
import { MessageLogStore, type Receipt } from '../src/messages/message-log.store.js';
import { OutboxStore } from '../src/outbox/outbox.store.js';
import { OutcomesStore } from '../src/delivery/outcomes.store.js';
import { SeededRandom } from './faults/seeded-random.js';
import { UNBALANCED } from './support/ledger.js';
import { runSql } from './support/operator.js';
import { MISPLACED } from './support/outbox.js';
import { useTestService } from './support/test-service.js';

const HOUR = 3_600_000;

describe('Changes of one message at the same moment', () => {
  const MESSAGES = 200;
  const TOGETHER = 10;

  const service = useTestService({ ROLE: 'api' }); // the tests are the worker
  const random = new SeededRandom(1);
  let number: SendingAccount;
  let store: MessageLogStore;
  let outbox: OutboxStore;
  let outcomes: OutcomesStore;
  beforeAll(async () => {
    const accounts = service().app.get(AccountsService, { strict: false });
    number = (await accounts.findByApiId(DEMO.numbers[0].apiId))!;
    store = service().app.get(MessageLogStore, { strict: false });
    outbox = service().app.get(OutboxStore, { strict: false });
    const { app } = service();
    outcomes = new OutcomesStore(app.get(Database), app.get(Clock), app.get(Config));
  });
  afterEach(() => void jest.restoreAllMocks());

  async function send(phone: string): Promise<number> {
    const answer = await service().api.send(phone);
    expect(answer.status).toBe(202);
    return answer.body.data['message_log_id'];
  }

  const sql = (query: string, values: unknown[] = []) => runSql(service(), query, values);

  const sendMany = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, i) => send(`+1202555${1_000 + i}`)));

  async function claim(count: number): Promise<number[]> {
    const claimed = await outbox.claim(number.id, count, false);
    return claimed.map(({ id }) => id).toSorted((a, b) => a - b);
  }

  async function sendAndClaim(count: number): Promise<number[]> {
    const ids = (await sendMany(count)).toSorted((a, b) => a - b);
    expect(await claim(count)).toEqual(ids);
    return ids;
  }

  const receiptOf = (id: number, status: string): Receipt => ({
    business_account_id: number.businessAccountId,
    message_log_id: id,
    old_tag: false,
    phone_number_id: number.phoneNumberId,
    recipient: null,
    provider_message_id: `wamid.${id}`,
    status,
    occurred_at: service().clock.now(),
    error: status === 'failed' ? { code: 131026, title: 'Undeliverable', details: null } : null,
    details: { source: 'receipt' },
  });

  const sentOf = (id: number, attempt = 1) => ({
    id,
    attempt,
    provider_message_id: `wamid.${id}`,
    details: { source: 'answer' },
  });

  const eventsOf = async (id: number) =>
    sql('SELECT event, details FROM message_events WHERE message_log_id = $1 ORDER BY id', [id]);

  /** Notes what statements fail with; a deadlock is tried again, and else would not be seen. */
  function noteErrors(): () => Promise<unknown[]> {
    const run = jest.spyOn(service().database, 'run');
    return async () => {
      const answers = await Promise.allSettled(run.mock.results.map(({ value }) => value));
      return answers.flatMap((answer) => (answer.status === 'rejected' ? [String(answer.reason)] : []));
    };
  }

  /** All of them have ended so, with their one attempt and the provider's id, and with the right charges. */
  async function expectEnded(ids: number[], status: string): Promise<void> {
    const rows = await sql(
      `SELECT DISTINCT status, attempts, provider_message_id = 'wamid.' || id AS has_id FROM message_logs
       WHERE id = ANY($1)`,
      [ids],
    );
    expect(rows).toEqual([{ status, attempts: 1, has_id: true }]);
    expect(await sql('SELECT FROM outbox WHERE message_log_id = ANY($1)', [ids])).toEqual([]);
    expect(await sql(MISPLACED)).toEqual([]);
    expect(await sql(UNBALANCED)).toEqual([]);
  }

  const apply = (receipts: Receipt[]) =>
    service().database.transaction((connection) => store.applyReceipts(receipts, connection));

  it('are applied in any order: a receipt before the answer', async () => {
    const [id] = (await sendAndClaim(1)) as [number];
    await apply([receiptOf(id, 'delivered')]);
    await expectEnded([id], 'delivered');
    expect(await outcomes.recordSent(sentOf(id))).toEqual({ applied: true });
    await expectEnded([id], 'delivered');
    const events = (await eventsOf(id)).map(({ event }) => event);
    expect(events).toEqual(['delivered', 'sent']);
  });

  it('end it once: a receipt and an answer, each in a commit with others', async () => {
    const ids = await sendAndClaim(MESSAGES);
    const errors = noteErrors();
    const answers = [];
    for (let from = 0; from < MESSAGES; from += TOGETHER) {
      const some = ids.slice(from, from + TOGETHER);
      const receipts = random.shuffled(some).map((id) => receiptOf(id, 'delivered'));
      const [, ...recorded] = await Promise.all([
        apply(receipts),
        ...random.shuffled(some).map((id) => outcomes.recordSent(sentOf(id))),
      ]);
      answers.push(...recorded);
    }
    expect(await errors()).toEqual([]);
    expect(new Set(answers.map(({ applied }) => applied))).toEqual(new Set([true]));
    await expectEnded(ids, 'delivered');
    const events = await sql(
      `SELECT message_log_id, count(*) FILTER (WHERE event = 'sent') AS sent,
         count(*) FILTER (WHERE event = 'delivered') AS delivered, count(*) AS events
       FROM message_events WHERE message_log_id = ANY($1) GROUP BY 1`,
      [ids],
    );
    expect(events).toHaveLength(MESSAGES);
    for (const { sent, delivered, events: all } of events)
      expect({ sent, delivered, all }).toEqual({ sent: 1, delivered: 1, all: 2 });
  });

  it.each([
    [
      'a receipt of a failure and an answer that it was taken',
      'failed',
      (id: number) => outcomes.recordSent(sentOf(id)),
    ],
    [
      'a receipt and an answer that it may be tried again',
      'delivered',
      (id: number) =>
        outcomes.recordRetry({
          id,
          attempt: 1,
          due_at: new Date(service().clock.now().getTime() + HOUR),
          event: 'retry',
          details: {},
        }),
    ],
    [
      'a receipt and the end of the wait for an answer',
      'delivered',
      (id: number) =>
        outcomes.recordUnknown({
          id,
          attempt: 1,
          resolve_at: new Date(service().clock.now().getTime() + HOUR),
          details: {},
        }),
    ],
    [
      'a receipt and an answer that it was refused',
      'delivered',
      (id: number) =>
        outcomes.recordFailed({
          id,
          attempt: 1,
          error: { code: 131026, title: 'Undeliverable', details: null },
        }),
    ],
  ])('end it as the receipt says: %s', async (_what, status, record) => {
    const ids = await sendAndClaim(MESSAGES);
    const errors = noteErrors();
    for (let from = 0; from < MESSAGES; from += TOGETHER) {
      const some = ids.slice(from, from + TOGETHER);
      const receipts = random.shuffled(some).map((id) => receiptOf(id, status));
      await Promise.all([apply(receipts), ...random.shuffled(some).map((id) => record(id))]);
    }
    expect(await errors()).toEqual([]);
    await expectEnded(ids, status);
  });

  it.each([
    ['before it', [1, 2]],
    ['after it', [2, 1]],
  ])(
    'is the answer to the last try, with one to an earlier try in the same commit, %s',
    async (_when, attempts) => {
      const [id] = (await sendAndClaim(1)) as [number];
      const { clock } = service();
      await outcomes.recordRetry({ id, attempt: 1, due_at: clock.now(), event: 'retry', details: {} });
      expect(await claim(1)).toEqual([id]);
      await Promise.all(
        attempts.map((attempt) =>
          outcomes.recordSent({ ...sentOf(id, attempt), provider_message_id: `wamid.${attempt}` }),
        ),
      );
      expect(await service().api.message(id)).toMatchObject({
        status: 'sent',
        attempts: 2,
        provider_message_id: 'wamid.2',
      });
      expect(await sql(MISPLACED)).toEqual([]);
    },
  );

  it('have one winner: a cancellation or a claim', async () => {
    const rounds: { id: number; canceled: boolean; claimed: number[] }[] = [];
    for (let round = 0; round < 100; round += 1) {
      const id = await send('+12025550100');
      const result = { id, canceled: false, claimed: [] as number[] };
      const sides = [
        async () => (result.canceled = await store.cancel(service().tenantId, id)),
        async () => (result.claimed = await claim(5)),
      ];
      await Promise.all((round % 2 === 0 ? sides : sides.toReversed()).map((side) => side()));
      rounds.push(result);
    }
    for (const { id, canceled, claimed } of rounds) {
      expect({ id, claimed }).toEqual({ id, claimed: canceled ? [] : [id] });
      expect(await service().api.message(id)).toMatchObject(
        canceled ? { status: 'canceled', attempts: 0 } : { status: 'sending', attempts: 1 },
      );
      expect(await store.cancel(service().tenantId, id)).toBe(false);
    }
    expect(await claim(5)).toEqual([]);
    expect(await sql(MISPLACED)).toEqual([]);
    expect(await sql(UNBALANCED)).toEqual([]);
  });

  it('share a statement where they are claims, each for as many messages of its own number as it may take', async () => {
    const accounts = service().app.get(AccountsService, { strict: false });
    const other = (await accounts.findByApiId(DEMO.numbers[1].apiId))!;
    const own = await sendMany(10);
    const others = [];
    for (let i = 0; i < 3; i += 1) {
      const answer = await service().api.send(`+1202555${2_000 + i}`, { messaging_account_id: other.apiId });
      others.push(answer.body.data['message_log_id'] as number);
    }
    const run = jest.spyOn(service().database, 'run');
    const asked: [number: number, limit: number][] = [
      [number.id, 4],
      [other.id, 2],
      [number.id, 3],
    ];
    const claims = await Promise.all(asked.map(([id, limit]) => outbox.claim(id, limit, false)));
    expect(run.mock.calls.map(([{ name }]) => name)).toEqual(['message_claim', 'message_claimed']);
    expect(claims.map((claimed) => claimed.map((message) => message.messaging_account_id))).toEqual(
      asked.map(([id, limit]) => Array.from({ length: limit }, () => id)),
    );
    const ids = claims.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(9);
    expect([...own, ...others]).toEqual(expect.arrayContaining(ids));
    const rest = await Promise.all([outbox.claim(other.id, 50, false), outbox.claim(number.id, 50, false)]);
    expect(rest.map(({ length }) => length)).toEqual([1, 3]);
    expect(await sql(MISPLACED)).toEqual([]);
  });
});
