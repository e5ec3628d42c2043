import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { encodePosition, WHOLE } from '../src/events/position.js';
import { messageLogIdOf } from './support/copies.js';
import { eventually } from './support/eventually.js';
import { PostgresWithStandby, query } from './support/postgres-with-standby.js';
import { startTestService, type TestService } from './support/service.js';

/** Each time another: a recipient gets a message of a number every six seconds at most. */
let phones = 2_000;
const nextPhone = () => `+1202555${phones++}`;

/** Requests that are under way at the same time. */
const CALLERS = 4;

describe('With a synchronous standby', () => {
  let postgres: PostgresWithStandby;
  let service: TestService;
  /** Of each key, the message that was acknowledged. */
  let accepted: Map<string, number>;

  beforeEach(async () => {
    accepted = new Map();
    postgres = await PostgresWithStandby.start();
    const { primary, standby } = postgres;
    // The standby stands first, and is passed over.
    const DATABASE_URL = postgres.urlOf(standby, primary);
    // Claims whose answer is lost with the primary are decided after seconds.
    service = await startTestService({ DATABASE_URL, UNKNOWN_OUTCOME_WINDOW: 5, PROVIDER_TIMEOUT: 2_000 });
  });
  afterEach(async () => {
    await service.stop();
    await postgres.stop();
  });

  /** Sends until it is told to stop, and repeats what was not acknowledged, each with its key. */
  function keepSending(): { stop(): Promise<void> } {
    let isStopped = false;
    const send = async (key: string, phone: string) => {
      const { status, body } = await service.api.send(phone, {}, { 'Idempotency-Key': key });
      if (status !== 202) throw new Error(`${key} was answered with ${status}`);
      accepted.set(key, body.data['message_log_id']);
    };
    const caller = async (name: number) => {
      for (let i = 0; !isStopped; i += 1) {
        const phone = nextPhone();
        await eventually(() => send(`${name}-${i}`, phone));
      }
    };
    const callers = Array.from({ length: CALLERS }, (_, name) => caller(name));
    return {
      stop: async () => {
        isStopped = true;
        await Promise.all(callers);
      },
    };
  }

  const untilAccepted = async (count: number) => {
    const before = accepted.size;
    await eventually(() => expect(accepted.size - before).toBeGreaterThanOrEqual(count));
  };

  /** What was acknowledged is there, nothing else is, and each message has been sent once. */
  async function expectEachOnce(): Promise<void> {
    const ids = [...accepted.values()].toSorted((a, b) => a - b);
    const rows = await query(postgres.standby.url, 'SELECT id FROM message_logs ORDER BY id');
    expect(rows.map(({ id }) => Number(id))).toEqual(ids);
    await eventually(async () => {
      const waiting = await query(postgres.standby.url, "SELECT FROM message_logs WHERE status <> 'read'");
      expect(waiting).toHaveLength(0);
    });
    const sent = service.sandbox.messages().map(messageLogIdOf) as number[];
    expect(sent.toSorted((a, b) => a - b)).toEqual(ids);
  }

  it('a primary that dies is replaced: sends go on, none is lost, none is sent twice', async () => {
    const sending = keepSending();
    await untilAccepted(100);
    postgres.kill();
    await postgres.promote();
    await untilAccepted(100);
    await sending.stop();
    await expectEachOnce();
  });

  it('a primary that falls silent is replaced, and is not listened to when it is heard again', async () => {
    const sending = keepSending();
    await untilAccepted(100);
    postgres.isolate();
    await postgres.promote();
    await untilAccepted(100);
    const [left] = await query(postgres.primary.url, 'SELECT count(*) AS count FROM message_logs');
    postgres.primary.proxy.speak();
    await untilAccepted(100);
    await sending.stop();
    await expectEachOnce();
    // It waits for its standby for ever, so that nobody sees what it had taken.
    const [now] = await query(postgres.primary.url, 'SELECT count(*) AS count FROM message_logs');
    expect(now).toEqual(left);
  });

  it('nothing is acknowledged that the standby does not have, until it is there again', async () => {
    const phone = nextPhone();
    await service.api.send(nextPhone());
    postgres.cutReplication();
    const { status, body } = await service.api.send(phone, {}, { 'Idempotency-Key': 'alone' });
    expect(status).toBe(503);
    expect(body.error.message).toContain('may have been accepted');
    postgres.restoreReplication();
    await eventually(async () => {
      const again = await service.api.send(phone, {}, { 'Idempotency-Key': 'alone' });
      expect(again.status).toBe(202);
    });
    const [row] = await query(postgres.primary.url, 'SELECT count(*)::integer AS count FROM message_logs');
    expect(row).toEqual({ count: 2 });
  });

  it('a cursor is called expired only by a server that its standby follows', async () => {
    // As a server's that took over and has gone on, asked of the one that does not know it yet.
    const later = encodePosition({ entry: 1_000_000, ordinal: WHOLE });
    const read = () => service.api.get(`/api/v1/events?after=${later}`);
    postgres.cutReplication();
    expect((await read()).status).toBe(503);
    postgres.restoreReplication();
    await eventually(async () => expect((await read()).body.error).toMatchObject({ code: 'CURSOR_EXPIRED' }));
  });
});
