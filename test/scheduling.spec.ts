import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Clock } from '../src/common/clock.js';
import { AppLogger } from '../src/common/logger.js';
import { Config } from '../src/config/config.js';
import { DEMO } from '../src/embedded/demo.js';
import { DueWatchService } from '../src/scheduling/due-watch.service.js';
import { type RunningService, startService } from '../src/app/start-service.js';
import { sendBody, text } from './support/api.js';
import { copiesOf } from './support/copies.js';
import { eventually } from './support/eventually.js';
import { fillOutbox } from './support/outbox.js';
import { startTestService, type TestService } from './support/service.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const [SALES, CARE] = DEMO.numbers;

const LOGIN_CODE = {
  name: 'login_code',
  components: [
    { type: 'body', parameters: [text('123456')] },
    { type: 'button', sub_type: 'url', index: 0, parameters: [text('123456')] },
  ],
};

let service: TestService;
const run = (name: string, statement: string, values: unknown[] = []) =>
  service.database.run<Record<string, any>>({ name: `test_${name}`, text: statement }, values);

/** Sends from the number with the high rate. @returns the message log id */
async function send(phone: string, changes: Record<string, unknown> = {}): Promise<number> {
  const answer = await service.api.send(phone, { messaging_account_id: CARE.apiId, ...changes });
  expect(answer.status).toBe(202);
  return answer.body.data['message_log_id'];
}

/** @param distance milliseconds from now */
async function schedule(phone: string, distance: number, changes: Record<string, unknown> = {}) {
  const due = new Date(service.clock.now().getTime() + distance);
  return { id: await send(phone, { scheduled_at: due.toISOString(), timezone: 'UTC', ...changes }), due };
}

const takenCopies = (id: number) => copiesOf(service, id);

const expectRecord = (id: number, expected: Record<string, unknown>) =>
  eventually(async () => {
    const message = await service.api.message(id);
    expect(message).toMatchObject(expected);
    return message;
  });

/** Waits until a message that is due now is sent, so that any other due message could have been sent too. */
async function othersGoOut(): Promise<void> {
  for (let round = 0; round < 3; round += 1)
    await expectRecord(await send('+12025559000'), { status: 'read' });
}

const ledgerOf = async (id: number) =>
  (await run('ledger', 'SELECT kind FROM ledger_entries WHERE message_log_id = $1 ORDER BY id', [id])).map(
    (row) => row['kind'],
  );

describe('The schedule', () => {
  beforeAll(async () => {
    // The sandbox uses the service's clock, so that its times can be compared with the due times of messages.
    const clock = Object.assign(new Clock(), { now: () => service?.clock.now() ?? new Date() });
    // The first wait between two tries is at least half a minute.
    service = await startTestService({ RETRY_BASE: MINUTE }, { clock });
  });
  afterAll(() => service.stop());

  it('is kept: messages are sent when they are due, once and never early', async () => {
    const scheduled = [];
    for (let minutes = 1; minutes <= 3; minutes += 1)
      scheduled.push(await schedule(`+1202555810${minutes}`, minutes * 10 * MINUTE));
    for (const { id, due } of scheduled) {
      service.clock.forward(due.getTime() - service.clock.now().getTime() - 20 * SECOND);
      await othersGoOut();
      expect(await service.api.message(id)).toMatchObject({ status: 'scheduled', attempts: 0 });
      service.clock.forward(20 * SECOND);
      await expectRecord(id, { status: 'read', attempts: 1 });
    }
    for (const { id, due } of scheduled) {
      const copies = takenCopies(id);
      expect(copies).toHaveLength(1);
      expect(Date.parse(copies[0]!.taken_at)).toBeGreaterThanOrEqual(due.getTime());
    }
  });

  it('is kept when nothing else happens, and never a millisecond early', async () => {
    const { id, due } = await schedule('+12025558200', 2_500);
    await expectRecord(id, { status: 'read' });
    expect(Date.parse(takenCopies(id)[0]!.taken_at)).toBeGreaterThanOrEqual(due.getTime());
  });

  it('is kept for each of many messages that are due one after the other, without gathering them', async () => {
    const scheduled = [];
    for (let i = 10; i < 40; i += 1) scheduled.push(await schedule(`+12025558${200 + i}`, i * 100));
    const takenAt = [];
    for (const { id } of scheduled) {
      await expectRecord(id, { status: 'read' });
      takenAt.push(Date.parse(takenCopies(id)[0]!.taken_at));
    }
    const moments = takenAt.toSorted((a, b) => a - b).filter((time, i, all) => !(time - all[i - 1]! < 50));
    expect(moments.length).toBeGreaterThan(15);
  });

  it('is kept despite the backlog of another number', async () => {
    const { id } = await schedule('+12025558300', MINUTE);
    await run(
      'backlog',
      `INSERT INTO message_logs (tenant_id, messaging_account_id, template_id, phone, template_name, language,
        components, status, auto_retry_on_frequency_cap, conversation_category, cost, currency, created_at)
      SELECT m.tenant_id, n.id, m.template_id, '1202556' || (1000 + i), m.template_name, m.language, m.components,
        'queued', false, m.conversation_category, m.cost, m.currency, m.created_at
      FROM message_logs m, messaging_accounts n, generate_series(1, 5000) i WHERE m.id = $1 AND n.api_id = $2`,
      [id, SALES.apiId],
    );
    await run('fill_outbox', fillOutbox());
    const backlog = `outbox WHERE resolve_at IS NULL
      AND message_log_id IN (SELECT id FROM message_logs WHERE phone LIKE '1202556%')`;
    const waiting = async () =>
      (await run('waiting', `SELECT count(*) AS waiting FROM ${backlog}`))[0]?.['waiting'];
    await eventually(async () => expect(await waiting()).toBeLessThan(5_000));
    service.clock.forward(MINUTE);
    await expectRecord(id, { status: 'read' });
    expect(await waiting()).toBeGreaterThan(0);
    await run(
      'clear',
      `WITH taken AS (DELETE FROM ${backlog} RETURNING message_log_id)
      UPDATE message_logs SET status = 'canceled' WHERE id IN (SELECT message_log_id FROM taken)`,
    );
  });

  it('lets either the cancellation or the claim win, in every race', async () => {
    const account = await run('account', 'SELECT id FROM messaging_accounts WHERE api_id = $1', [CARE.apiId]);
    const wake = () => service.app.get(DueWatchService).tell(account[0]?.['id']);
    // Short steps, as a long one would end the leases of messages under way.
    const step = 5 * SECOND;
    const rounds = [];
    for (let round = 0; round < 50; round += 1) {
      const { id } = await schedule(`+1202555${7000 + round}`, step);
      service.clock.forward(step);
      const woken = wake();
      // From 0 to 5 other requests go first, so that the cancellation meets all stages of the claim.
      for (let others = 0; others < round % 6; others += 1) await service.api.get('/health/live');
      const answer = await service.api.post(`/api/v1/messages/${id}/cancel`);
      await woken;
      rounds.push({ id, canceled: answer.status === 200, answer });
    }
    for (const { id, canceled, answer } of rounds) {
      expect([200, 409]).toContain(answer.status);
      expect(answer.body.error?.code).toBe(canceled ? undefined : 'MESSAGE_NOT_CANCELABLE');
      await expectRecord(
        id,
        canceled ? { status: 'canceled', attempts: 0 } : { status: 'read', attempts: 1 },
      );
    }
    await othersGoOut();
    for (const { id, canceled } of rounds) {
      expect(takenCopies(id)).toHaveLength(canceled ? 0 : 1);
      expect(await ledgerOf(id)).toEqual(canceled ? ['charge', 'refund'] : ['charge']);
    }
  });

  it('makes a technical retry wait until it is due', async () => {
    const id = await send('+12025550123');
    await expectRecord(id, { status: 'queued', attempts: 1 });
    // The wait is random, so it is set to an hour.
    const [entry] = await run(
      'set_due',
      'UPDATE outbox SET due_at = $2 WHERE message_log_id = $1 RETURNING due_at',
      [id, new Date(service.clock.now().getTime() + HOUR)],
    );
    const due = entry!['due_at'] as Date;
    service.clock.forward(due.getTime() - service.clock.now().getTime() - 20 * SECOND);
    await othersGoOut();
    expect(await service.api.message(id)).toMatchObject({ status: 'queued', attempts: 1 });
    service.clock.forward(20 * SECOND);
    await expectRecord(id, { status: 'read', attempts: 2 });
    expect(Date.parse(takenCopies(id)[0]!.taken_at)).toBeGreaterThanOrEqual(due.getTime());
  });
});

describe('A restart', () => {
  let worker: RunningService;

  beforeAll(async () => {
    service = await startTestService({ ROLE: 'api' });
    worker = await startWorker();
  });
  afterAll(async () => {
    await worker.stop();
    await service.stop();
  });

  function startWorker(): Promise<RunningService> {
    const config = Object.assign(new Config(), service.config, { ROLE: 'worker' });
    return startService(config, { clock: service.clock, logger: new AppLogger(config.LOG_LEVEL, false) });
  }

  it('between acceptance and the due time still sends a message once', async () => {
    const { id } = await schedule('+12025558400', HOUR);
    const atOnce = await send('+12025558401');
    await expectRecord(atOnce, { status: 'read' });
    await worker.stop();
    service.clock.forward(HOUR);
    const meanwhile = await send('+12025558402');
    expect(await service.api.message(id)).toMatchObject({ status: 'queued', attempts: 0 });
    worker = await startWorker();
    await expectRecord(id, { status: 'read', attempts: 1 });
    await expectRecord(meanwhile, { status: 'read', attempts: 1 });
    await othersGoOut();
    for (const each of [id, atOnce, meanwhile]) expect(takenCopies(each)).toHaveLength(1);
  });
});

describe('A message that the provider cannot take for a long time', () => {
  beforeAll(async () => {
    service = await startTestService({ RETRY_BASE: 20, RETRY_CAP: 100 });
    service.sandbox.control.setFault({ mode: 'error_500' });
  });
  afterAll(() => service.stop());

  const { data } = sendBody('');

  it.each([
    ['an AUTHENTICATION message', 'ten minutes', 10 * MINUTE, LOGIN_CODE],
    ['a UTILITY message', 'a day', 24 * HOUR, data],
  ])('is tried again and again, %s for %s, and then fails', async (_what, _budget, budget, content) => {
    const start = service.clock.now().getTime();
    const id = await send('+12025558500', { data: content });
    // By the tries that have ended: one that the clock's leap catches before its call is none.
    const retriesOf = (message: Record<string, any>) =>
      message['events'].filter(({ event }: { event: string }) => event === 'retry').length as number;
    const triedAgain = async () => {
      const before = retriesOf(await service.api.message(id));
      await eventually(async () => {
        const message = await service.api.message(id);
        expect(retriesOf(message)).toBeGreaterThan(before);
        expect(message['failed_at']).toBeNull();
      });
    };
    await triedAgain();
    service.clock.forward(budget - 20 * SECOND);
    await triedAgain();
    service.clock.forward(20 * SECOND);
    const failed = await expectRecord(id, { status: 'failed', error: { title: expect.stringMatching(/./) } });
    // The last try may be one wait before the end, when the next one would have come after it.
    expect(Date.parse(failed['failed_at']) - start).toBeGreaterThanOrEqual(budget - SECOND);
    expect(takenCopies(id)).toHaveLength(0);
    expect(await ledgerOf(id)).toEqual(['charge', 'refund']);
  });

  it('is tried until a time that counts from its schedule', async () => {
    const { id } = await schedule('+12025558501', 24 * HOUR, { data: LOGIN_CODE });
    service.clock.forward(24 * HOUR);
    await eventually(async () =>
      expect((await service.api.message(id))['attempts']).toBeGreaterThanOrEqual(2),
    );
    expect(await service.api.message(id)).toMatchObject({ failed_at: null });
    service.clock.forward(10 * MINUTE);
    await expectRecord(id, { status: 'failed' });
  });
});
