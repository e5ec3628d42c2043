import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppLogger } from '../src/common/logger.js';
import { Config } from '../src/config/config.js';
import { DEMO } from '../src/embedded/demo.js';
import { type RunningService, startService } from '../src/app/start-service.js';
import { copiesOf, tagOf } from './support/copies.js';
import { eventually } from './support/eventually.js';
import { startTestService, type TestService } from './support/service.js';
import { deliver, receipt } from './support/webhooks.js';

const HOUR = 3_600_000;

/** Recipients of the sandbox: 131049 in the answer; 131049 by receipt; taken, without further receipts. */
const CAP_AT_ONCE = '0113';
const CAP_LATER = '0112';
const SENT_ONLY = '0102';

/** The receipt in the provider's words. */
const REACHED = { status: 'failed', errors: [{ code: 131049, title: 'Cap reached' }] };

let service: TestService;
/** A second process of the same service, with API and worker. */
let second: RunningService;

beforeAll(async () => {
  service = await startTestService();
  const config = Object.assign(new Config(), service.config);
  const logger = new AppLogger(config.LOG_LEVEL, false);
  second = await startService(config, { clock: service.clock, logger });
});
afterAll(async () => {
  await second.stop();
  await service.stop();
});

const run = (name: string, text: string, values: unknown[] = []) =>
  service.database.run<Record<string, any>>({ name: `test_${name}`, text }, values);

let exchange = 200;
/** A new phone number that ends with the digits of this recipient of the sandbox. */
const phoneOf = (suffix: string) => `1202${(exchange += 1)}${suffix}`;

async function send(phone: string, optIn = true): Promise<number> {
  const answer = await service.api.send(phone, optIn ? { auto_retry_on_frequency_cap: true } : {});
  expect(answer.status).toBe(202);
  return answer.body.data['message_log_id'];
}

async function expectStatus(id: number, status: string) {
  return eventually(async () => {
    const message = await service.api.message(id);
    expect(message['status']).toBe(status);
    return message;
  });
}

/** The messages that the API lists for a recipient, oldest first. */
async function listed(phone: string): Promise<Record<string, any>[]> {
  const answer = await service.api.get(`/api/v1/messages?phone=${phone}`);
  return (answer.body.data as unknown as Record<string, any>[]).toReversed();
}

const ledgerOf = async (ids: number[]) =>
  run(
    'ledger',
    `SELECT message_log_id AS id, kind, amount::double precision AS amount FROM ledger_entries WHERE message_log_id = ANY($1) ORDER BY id`,
    [ids],
  );

const takenCopies = (id: number) => copiesOf(service, id);

/** Resolves when every webhook that has arrived is applied. */
const webhooksApplied = () =>
  eventually(async () => {
    const rows = await run('inbox', 'SELECT 1 FROM webhook_inbox WHERE processed_at IS NULL');
    expect(rows).toEqual([]);
  });

/** Checks every field of the failed message and its one retry. @returns the retry */
async function expectOneRetry(id: number, phone: string): Promise<Record<string, any>> {
  const messages = await listed(phone);
  expect(messages).toHaveLength(2);
  const failed = await service.api.message(id);
  const retry = await service.api.message(messages[1]!['message_log_id']);
  expect(failed).toMatchObject({
    status: 'failed',
    error: { code: 131049 },
    retry_count: 0,
    retry_of: null,
    auto_retry_on_frequency_cap: true,
  });
  expect(retry).toMatchObject({
    status: 'scheduled',
    retry_count: 1,
    retry_of: id,
    auto_retry_on_frequency_cap: false,
    attempts: 0,
    ...Object.fromEntries(
      [
        'messaging_account_id',
        'phone',
        'template',
        'components',
        'conversation_category',
        'cost',
        'currency',
      ].map((field) => [field, failed[field]]),
    ),
  });
  // From the database, as the API shows no microseconds.
  const [times] = await run(
    'times',
    `SELECT r.scheduled_at = f.failed_at + interval '26 hours' AS exact, o.due_at = r.scheduled_at AS due
      FROM message_logs f JOIN message_logs r ON r.retry_of = f.id JOIN outbox o ON o.message_log_id = r.id
      WHERE f.id = $1`,
    [id],
  );
  expect(times).toEqual({ exact: true, due: true });
  expect(Date.parse(retry['scheduled_at']) - Date.parse(failed['failed_at'])).toBe(26 * HOUR);
  expect(failed['cost']).toBeGreaterThan(0);
  const entries = await ledgerOf([id, retry['message_log_id']]);
  expect(entries).toHaveLength(3);
  expect(entries).toEqual(
    expect.arrayContaining([
      { id, kind: 'charge', amount: failed['cost'] },
      { id, kind: 'refund', amount: failed['cost'] },
      { id: retry['message_log_id'], kind: 'charge', amount: failed['cost'] },
    ]),
  );
  return retry;
}

describe('131049', () => {
  it.each([
    ['in the answer', CAP_AT_ONCE],
    ['by a receipt', CAP_LATER],
  ])('%s brings exactly one retry 26 hours later with the opt-in', async (_how, suffix) => {
    const phone = phoneOf(suffix);
    const id = await send(phone);
    await expectStatus(id, 'failed');
    await expectOneRetry(id, phone);
  });

  it.each([
    ['in the answer', CAP_AT_ONCE],
    ['by a receipt', CAP_LATER],
  ])('%s brings no retry without the opt-in', async (_how, suffix) => {
    const phone = phoneOf(suffix);
    const id = await send(phone, false);
    await expectStatus(id, 'failed');
    expect(await listed(phone)).toHaveLength(1);
    expect((await ledgerOf([id])).map(({ kind }) => kind)).toEqual(['charge', 'refund']);
  });

  it('is needed: another error brings no retry', async () => {
    const phone = phoneOf('0110');
    await expectStatus(await send(phone), 'failed');
    expect(await listed(phone)).toHaveLength(1);
  });

  it('in the answer and in many receipts at once, on two processes, brings one retry and one refund', async () => {
    const other = { ...service, api: Object.assign(Object.create(service.api), { url: second.url }) };
    // The answer comes at about the same time as the receipts.
    service.sandbox.control.setFault({ mode: 'slow', delay: 40 });
    const rounds = Array.from({ length: 8 }, async () => {
      const phone = phoneOf(CAP_AT_ONCE);
      const id = await send(phone);
      const tag = await tagOf(service, id);
      const value = receipt({
        ...REACHED,
        id: `wamid.${id}`,
        recipient_id: phone,
        biz_opaque_callback_data: tag,
      });
      const receipts = Array.from({ length: 10 }, (_, i) =>
        deliver(i % 2 ? other : service, [DEMO.wabaId, 'messages', value]),
      );
      for (const { status } of await Promise.all(receipts)) expect(status).toBe(200);
      return { id, phone };
    });
    const messages = await Promise.all(rounds);
    await webhooksApplied();
    await eventually(async () => {
      const rows = await run('sending', 'SELECT 1 FROM outbox WHERE resolve_at IS NOT NULL');
      expect(rows).toEqual([]);
    });
    service.sandbox.control.setFault({ mode: 'none' });
    for (const { id, phone } of messages) {
      await expectStatus(id, 'failed');
      await expectOneRetry(id, phone);
    }
  });
});

describe('The retry', () => {
  it('goes out like any other message when it is due, not before', async () => {
    const phone = phoneOf(SENT_ONLY);
    const id = await send(phone);
    const { provider_message_id } = await expectStatus(id, 'sent');
    await deliver(service, [DEMO.wabaId, 'messages', receipt({ id: provider_message_id, ...REACHED })]);
    await expectStatus(id, 'failed');
    const retry = await expectOneRetry(id, phone);
    const retryId = retry['message_log_id'] as number;

    service.clock.forward(26 * HOUR - 60_000);
    await expectStatus(await send('12025559001', false), 'read');
    expect(await service.api.message(retryId)).toMatchObject({ status: 'scheduled', attempts: 0 });
    service.clock.forward(60_000);
    await expectStatus(retryId, 'sent');
    expect(takenCopies(retryId)).toHaveLength(1);
    expect(takenCopies(retryId)[0]!.components).toEqual(takenCopies(id)[0]!.components);
    expect((await listed(phone)).map((message) => message['status'])).toEqual(['failed', 'sent']);
  });

  it.each([
    ['in the answer', CAP_AT_ONCE],
    ['by a receipt', CAP_LATER],
  ])('that is rejected again %s is the last one, however often the rejection comes', async (_how, suffix) => {
    const phone = phoneOf(suffix);
    const id = await send(phone);
    await expectStatus(id, 'failed');
    const retry = await expectOneRetry(id, phone);
    service.clock.forward(26 * HOUR);
    const failed = await expectStatus(retry['message_log_id'], 'failed');
    expect(failed).toMatchObject({ attempts: 1, error: { code: 131049 } });
    for (const each of [id, retry['message_log_id']]) {
      const biz_opaque_callback_data = await tagOf(service, each);
      const value = receipt({
        ...REACHED,
        id: `wamid.${each}`,
        recipient_id: phone,
        biz_opaque_callback_data,
      });
      await deliver(service, [DEMO.wabaId, 'messages', value]);
    }
    await webhooksApplied();
    expect((await listed(phone)).map((message) => message['status'])).toEqual(['failed', 'failed']);
    const entries = await ledgerOf([id, retry['message_log_id']]);
    expect(entries.map(({ kind }) => kind)).toEqual(['charge', 'refund', 'charge', 'refund']);
  });
});

describe('When the retry cannot be stored', () => {
  /** How often storing it was tried: a sequence counts also what is rolled back. */
  const tries = async () => {
    const [row] = await run('tries', 'SELECT last_value, is_called FROM fault_tries');
    return row?.['is_called'] ? row['last_value'] : 0;
  };

  beforeAll(async () => {
    await run('fault_sequence', 'CREATE SEQUENCE fault_tries');
    await run(
      'fault_function',
      `CREATE FUNCTION fault() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM nextval('fault_tries'); RAISE EXCEPTION 'injected'; END $$`,
    );
  });

  const inject = () =>
    run(
      `inject_${exchange}`,
      `CREATE TRIGGER fault BEFORE INSERT ON message_logs FOR EACH ROW WHEN (NEW.retry_of IS NOT NULL)
        EXECUTE FUNCTION fault()`,
    );
  const mend = () => run(`mend_${exchange}`, 'DROP TRIGGER fault ON message_logs');

  async function expectNothingRecorded(id: number, phone: string, status: string) {
    expect(await service.api.message(id)).toMatchObject({ status, error: null, failed_at: null });
    expect(await listed(phone)).toHaveLength(1);
    expect((await ledgerOf([id])).map(({ kind }) => kind)).toEqual(['charge']);
  }

  it('the failure and the refund are not stored either, until all three can be', async () => {
    const phone = phoneOf(CAP_AT_ONCE);
    await inject();
    const id = await send(phone);
    await eventually(async () => expect(await tries()).toBeGreaterThanOrEqual(2));
    await expectNothingRecorded(id, phone, 'sending');
    await mend();
    await expectStatus(id, 'failed');
    await expectOneRetry(id, phone);
  });

  it('the effects of a receipt are not stored either, and the receipt is kept', async () => {
    const phone = phoneOf(SENT_ONLY);
    const id = await send(phone);
    const { provider_message_id } = await expectStatus(id, 'sent');
    await inject();
    const before = await tries();
    await deliver(service, [DEMO.wabaId, 'messages', receipt({ id: provider_message_id, ...REACHED })]);
    await eventually(async () => expect(await tries()).toBeGreaterThan(before));
    await eventually(async () => {
      const parked = await run('parked', 'SELECT 1 FROM webhook_inbox WHERE parked_at IS NOT NULL');
      expect(parked).toHaveLength(1);
    });
    await expectNothingRecorded(id, phone, 'sent');
    await mend();
    await run('unpark', 'UPDATE webhook_inbox SET parked_at = NULL WHERE parked_at IS NOT NULL RETURNING 1');
    await expectStatus(id, 'failed');
    await expectOneRetry(id, phone);
  });
});
