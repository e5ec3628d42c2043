import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { OutcomesStore } from '../src/delivery/outcomes.store.js';
import { copiesOf } from './support/copies.js';
import { eventually } from './support/eventually.js';
import { startTestService, type TestService } from './support/service.js';

const HOUR = 3_600_000;

let service: TestService;
beforeAll(async () => {
  // Short, as webhooks have to be heard for a window by the first test, and the last one leaves calls without answers.
  service = await startTestService({ UNKNOWN_OUTCOME_WINDOW: 1, SHUTDOWN_GRACE: 1 });
});
afterAll(() => service.stop());
afterEach(() => service.sandbox.control.setFault({ mode: 'none' }));

/** Sends a message whose answer takes a while. @returns its id while it is under way */
async function underWay(): Promise<number> {
  service.sandbox.control.setFault({ mode: 'slow', delay: 1_500 });
  const id = (await service.api.send('+12025550100')).body.data['message_log_id'];
  await expectRecord(id, { status: 'sending', attempts: 1 });
  return id;
}

const expectRecord = (id: number, expected: Record<string, unknown>) =>
  eventually(async () => {
    const message = await service.api.message(id);
    expect(message).toMatchObject(expected);
    return message;
  });

const takenCopies = (id: number) => copiesOf(service, id);

const late = async (kind: string) =>
  Number(
    new RegExp(`tms_late_total\\{kind="${kind}"\\} (\\d+)`).exec(
      (await service.api.get('/metrics')).text,
    )?.[1] ?? 0,
  );

describe('A clock that jumps forward', () => {
  it('does not make a process send a message again that it has under way itself', async () => {
    const id = await underWay();
    service.clock.forward(HOUR);
    await expectRecord(id, { status: 'read', attempts: 1 });
    expect(takenCopies(id)).toHaveLength(1);
    expect(await late('answer')).toBe(0);
  });
});

describe('An answer that comes after its message was sent again', () => {
  it('is kept as an event and counted, like the receipts of the other copy', async () => {
    const id = await underWay();
    service.clock.forward(HOUR);
    // Like another worker, which does not know what this one has under way.
    const store = service.app.get(OutcomesStore, { strict: false });
    await eventually(async () => expect(await store.resolveUnknown([])).toMatchObject({ requeued: 1 }));
    const message = await expectRecord(id, { status: 'read', attempts: 2 });
    await eventually(async () => {
      const events = (await service.api.message(id))['events'] as { event: string; details: any }[];
      expect(events.map(({ event }) => event)).toEqual(
        expect.arrayContaining(['sent_again', 'late_answer', 'sent']),
      );
      const copies = new Set(
        events.flatMap(({ details }) => details?.messageId ?? details?.provider_message_id ?? []),
      );
      expect(copies.size).toBe(2);
    });
    expect(takenCopies(id)).toHaveLength(2);
    expect(takenCopies(id).map((copy) => copy.wamid)).toContain(message['provider_message_id']);
    await eventually(async () => expect(await late('receipt')).toBeGreaterThanOrEqual(1));
    expect(await late('answer')).toBeGreaterThanOrEqual(1);
  });
});

describe('An outcome that is recorded again because its commit was cut', () => {
  it.each([
    [
      'recordRetry',
      { due_at: new Date('2030-01-01T00:00:00Z'), event: 'retry', details: {} },
      'queued',
      'retry',
    ],
    ['recordFailed', { error: { code: 1, title: 'No', details: null } }, 'failed', 'failed'],
  ] as const)('changes nothing, and does not count as late: %s', async (record, fields, status, event) => {
    const store = service.app.get(OutcomesStore, { strict: false });
    service.sandbox.control.setFault({ mode: 'hang' });
    const id = (await service.api.send('+12025550100')).body.data['message_log_id'];
    await expectRecord(id, { status: 'sending' });
    for (let repeat = 0; repeat < 3; repeat += 1)
      expect(await (store[record] as any)({ id, attempt: 1, ...fields })).toMatchObject({ applied: true });
    const message = await expectRecord(id, { status, attempts: 1 });
    const events = message['events'].map((each: { event: string }) => each.event);
    expect(events).toEqual(['accepted', event]);
  });
});
