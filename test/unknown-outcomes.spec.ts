import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DEMO } from '../src/embedded/demo.js';
import { OutcomesStore } from '../src/delivery/outcomes.store.js';
import { eventually } from './support/eventually.js';
import { startTestService, type TestService } from './support/service.js';
import { addTenant, type TestTenant } from './support/tenants.js';
import { deliver, receipt } from './support/webhooks.js';

/** Seconds of UNKNOWN_OUTCOME_WINDOW; the tests move the clock. */
const WINDOW = 60;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ UNKNOWN_OUTCOME_WINDOW: WINDOW, UNKNOWN_OUTCOME_RESENDS: 2 });
  // As if webhooks had been heard for long: that time is by the database's clock, which tests cannot move.
  await service.database.run({
    name: 'test_heard_for_long',
    text: `UPDATE webhook_hearing SET heard_since = now() - interval '1 hour'`,
  });
});
afterAll(() => service.stop());
beforeEach(() => service.sandbox.control.setFault({ mode: 'drop' }));
afterEach(() => service.sandbox.control.setFault({ mode: 'none' }));

const store = () => service.app.get(OutcomesStore, { strict: false });

/** Waits until the message's calls so far have ended without an answer. */
async function unanswered(id: number, attempts: number): Promise<void> {
  await eventually(async () => {
    const message = await service.api.message(id);
    const events = message['events'].map(({ event }: { event: string }) => event);
    const unknown = events.filter((event: string) => event === 'outcome_unknown').length;
    expect({ attempts: message['attempts'], unknown }).toEqual({ attempts, unknown: attempts });
  });
}

async function sendUnanswered(): Promise<number> {
  const answer = await service.api.send('+12025550102');
  expect(answer.status).toBe(202);
  const id: number = answer.body.data['message_log_id'];
  return id;
}

const expectRecord = (id: number, expected: Record<string, unknown>) =>
  eventually(async () => expect(await service.api.message(id)).toMatchObject(expected));

async function expectUndecided(id: number): Promise<void> {
  expect(await store().resolveUnknown([])).toMatchObject({ requeued: 0, failed: [] });
  expect(await service.api.message(id)).toMatchObject({ status: 'sending' });
}

/** Moves the clock by a quarter of a window, and delivers a receipt of another message of the business account. */
async function receiptComes(wabaId: string = DEMO.wabaId): Promise<void> {
  service.clock.forward((WINDOW / 4) * 1_000); // the times of receipts are noted four times in a window
  const now = service.clock.now();
  await deliver(service, [wabaId, 'messages', receipt({ id: 'wamid.of-another-system', status: 'sent' })]);
  await eventually(async () => {
    const [row] = await service.database.run<{ until: Date }>(
      {
        name: 'test_receipts_seen',
        text: 'SELECT receipts_seen_until AS until FROM business_accounts WHERE waba_id = $1',
      },
      [wabaId],
    );
    expect(row?.until?.getTime()).toBeGreaterThanOrEqual(now.getTime());
  });
  await eventually(async () => {
    const [row] = await service.database.run<{ waiting: number }>({
      name: 'test_inbox_waiting',
      text: 'SELECT count(*) AS waiting FROM webhook_inbox WHERE processed_at IS NULL',
    });
    expect(row?.waiting).toBe(0);
  });
}

const decided = async (decision: string) =>
  Number(
    new RegExp(`tms_unknown_outcomes_total\\{decision="${decision}"\\} (\\d+)`).exec(
      (await service.api.get('/metrics')).text,
    )?.[1] ?? 0,
  );

describe('A message without an answer and without a receipt', () => {
  it('is sent again twice, then fails, is refunded and counted', async () => {
    const [again, failed] = [await decided('sent_again'), await decided('failed')];
    const id = await sendUnanswered();
    for (const attempts of [1, 2, 3]) {
      await unanswered(id, attempts);
      service.clock.forward((3 * WINDOW + 1) * 1_000);
    }
    await expectRecord(id, {
      status: 'failed',
      attempts: 3,
      error: {
        code: null,
        title: 'No answer from the provider',
        details:
          'The provider may have taken the message, but neither answered nor sent a receipt. Tries: 3.',
      },
    });
    expect((await decided('sent_again')) - again).toBe(2);
    expect((await decided('failed')) - failed).toBe(1);
    const entries = await service.database.run<{ kind: string }>(
      { name: 'test_ledger', text: 'SELECT kind FROM ledger_entries WHERE message_log_id = $1 ORDER BY id' },
      [id],
    );
    expect(entries.map(({ kind }) => kind)).toEqual(['charge', 'refund']);
  });

  it('waits two windows longer while its business account gets no receipts', async () => {
    const id = await sendUnanswered();
    await unanswered(id, 1);
    service.clock.forward((WINDOW + 5) * 1_000);
    await expectUndecided(id);
    service.sandbox.control.setFault({ mode: 'none' });
    service.clock.forward(2 * WINDOW * 1_000);
    await expectRecord(id, { status: 'sent', attempts: 2 });
  });

  it('is sent again after its window when receipts of its business account kept coming', async () => {
    await receiptComes();
    const id = await sendUnanswered();
    await unanswered(id, 1);
    service.clock.forward(0.6 * WINDOW * 1_000);
    await receiptComes();
    service.clock.forward(0.6 * WINDOW * 1_000);
    await expectUndecided(id); // no receipt has come since its window ended
    service.sandbox.control.setFault({ mode: 'none' });
    await receiptComes();
    await expectRecord(id, { status: 'sent', attempts: 2 });
  });

  it('waits when no receipts of its business account came for a window', async () => {
    await receiptComes();
    const id = await sendUnanswered();
    await unanswered(id, 1);
    service.clock.forward((WINDOW + 5) * 1_000);
    await receiptComes();
    await expectUndecided(id);
    service.sandbox.control.setFault({ mode: 'none' });
    service.clock.forward(2 * WINDOW * 1_000);
    await expectRecord(id, { status: 'sent', attempts: 2 });
  });

  it('waits when only the receipts of another business account come', async () => {
    const other: TestTenant = await addTenant(service);
    await receiptComes(other.wabaId);
    const id = await sendUnanswered();
    await unanswered(id, 1);
    for (const part of [0.6, 0.6]) {
      service.clock.forward(part * WINDOW * 1_000);
      await receiptComes(other.wabaId);
    }
    await expectUndecided(id);
    service.sandbox.control.setFault({ mode: 'none' });
    service.clock.forward(2 * WINDOW * 1_000);
    await expectRecord(id, { status: 'sent', attempts: 2 });
  });
});
