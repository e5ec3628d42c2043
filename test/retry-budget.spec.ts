import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HoldsService } from '../src/outbox/holds/holds.service.js';
import { eventually } from './support/eventually.js';
import { closeAll } from './support/provider-stubs.js';
import { type Answer, drop, refuse, ScriptedProvider } from './support/scripted-provider.js';
import { startTestService, type TestService } from './support/service.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Codes of the provider: one for which another try helps, and three that begin a hold on what they name. */
const TRANSIENT = 131000;
const TOKEN = 190;
const PAYMENT = 131042;
const TEMPLATE_PAUSED = 132015;

/** A refusal after which another try helps half a minute later. */
const later = refuse(TRANSIENT, { headers: { 'retry-after': '30' } });

describe('The time for tries of a message', () => {
  let service: TestService;
  let provider: ScriptedProvider;

  beforeAll(async () => {
    provider = await ScriptedProvider.start();
    service = await startTestService({
      PROVIDER_BASE_URL: provider.url,
      RETRY_BUDGET: DAY / 1000,
      UNKNOWN_OUTCOME_WINDOW: 1,
    });
  });
  afterAll(async () => {
    await service.stop();
    await closeAll();
  });

  const holds = () => service.app.get(HoldsService, { strict: false });

  /** Sends a message whose tries get these answers; later tries are accepted. */
  async function send(...tries: Answer[]): Promise<number> {
    const answer = await service.api.send(`+${provider.recipient(...tries)}`);
    expect(answer.status).toBe(202);
    return answer.body.data['message_log_id'];
  }

  const expectRecord = (id: number, expected: Record<string, unknown>) =>
    eventually(async () => expect(await service.api.message(id)).toMatchObject(expected));

  const openHold = () =>
    eventually(async () => {
      const [hold] = await holds().list();
      expect(hold).toBeDefined();
      return hold!.id;
    });

  it('ends a day after the first try', async () => {
    const id = await send(later, refuse(TRANSIENT));
    await expectRecord(id, { status: 'queued', attempts: 1 });
    service.clock.forward(DAY);
    await expectRecord(id, { status: 'failed', attempts: 2, error: { code: TRANSIENT } });
  });

  it('begins with the first try, however long the message waited before', async () => {
    const scheduled_at = new Date(service.clock.now().getTime() + HOUR).toISOString();
    const phone = provider.recipient(refuse(TRANSIENT));
    const answer = await service.api.send(`+${phone}`, { scheduled_at, timezone: 'UTC' });
    const id = answer.body.data['message_log_id'];
    await service.database.run(
      {
        name: 'test_backlog',
        text: `
          WITH log AS (UPDATE message_logs SET scheduled_at = $2 WHERE id = $1)
          UPDATE outbox SET due_at = $2 WHERE message_log_id = $1`,
      },
      [id, new Date(service.clock.now().getTime() - 2 * DAY)],
    );
    await expectRecord(id, { status: 'sent', attempts: 2 });
  });

  it.each([
    ['a number', PAYMENT],
    ['a business account', TOKEN],
    ['a template', TEMPLATE_PAUSED],
  ])(
    'begins again after a hold on %s, for the message that caused it and for those that waited',
    async (_what, code) => {
      const tried = await send(later, refuse(TRANSIENT));
      await expectRecord(tried, { status: 'queued', attempts: 1 });
      const held = await send(refuse(code), refuse(TRANSIENT));
      const hold = await openHold();
      await expectRecord(held, { status: 'queued', attempts: 1 });
      const untried = await send(refuse(TRANSIENT));
      service.clock.forward(HOUR); // the first message is due too
      await service.database.run(
        { name: 'test_no_probe', text: `UPDATE holds SET next_probe_at = 'infinity' WHERE id = $1` },
        [hold],
      );
      service.clock.forward(2 * DAY);
      await holds().lift(hold, 'test');
      await expectRecord(tried, { status: 'sent', attempts: 3 });
      await expectRecord(held, { status: 'sent', attempts: 3 });
      await expectRecord(untried, { status: 'sent', attempts: 2 });
    },
  );

  it('does not end for a message that probes a hold', async () => {
    const tried = await send(later, refuse(TRANSIENT));
    await expectRecord(tried, { status: 'queued', attempts: 1 });
    const held = await send(refuse(TOKEN), refuse(TOKEN));
    await openHold();
    await expectRecord(held, { status: 'queued', attempts: 1 });
    service.clock.forward(2 * DAY);
    await expectRecord(held, { status: 'queued', attempts: 2 });
    service.clock.forward(MINUTE);
    await expectRecord(tried, { status: 'queued', attempts: 2 });
    service.clock.forward(MINUTE);
    await expectRecord(held, { status: 'sent' });
    await expectRecord(tried, { status: 'sent', attempts: 3 });
  });

  it('begins again after a hold also for a message whose answer is lost then', async () => {
    const id = await send(refuse(TOKEN), drop);
    const hold = await openHold();
    await expectRecord(id, { status: 'queued', attempts: 1 });
    service.clock.forward(2 * DAY);
    await expectRecord(id, { status: 'sending', attempts: 2 });
    await holds().lift(hold, 'test');
    service.clock.forward(MINUTE);
    await expectRecord(id, { status: 'sent', attempts: 3 });
  });
});
