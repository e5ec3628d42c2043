import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { getQueueToken } from '@nestjs/bull';
import type { Queue } from 'bull';
import { AppLogger } from '../src/common/logger.js';
import { Config } from '../src/config/config.js';
import { ExpiryService } from '../src/scheduling/expiry.service.js';
import { PartitionStore } from '../src/scheduling/partition.store.js';
import { HOUSEKEEPING_JOBS, HOUSEKEEPING_QUEUE } from '../src/scheduling/housekeeping.processor.js';
import { type RunningService, startService } from '../src/app/start-service.js';
import { eventually } from './support/eventually.js';
import { fillOutbox } from './support/outbox.js';
import { startTestService, type TestService } from './support/service.js';

const DAY = 86_400_000;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const run = (text: string, values: unknown[] = []) =>
  service.database.run<Record<string, any>>(
    { name: `test_${text.length}_${text.slice(0, 40)}`, text },
    values,
  );

const daysAgo = (days: number) => new Date(service.clock.now().getTime() - days * DAY);

function startWorker(): Promise<RunningService> {
  const config = Object.assign(new Config(), service.config, { ROLE: 'worker' });
  return startService(config, { clock: service.clock, logger: new AppLogger(config.LOG_LEVEL, false) });
}

describe('Housekeeping jobs', () => {
  const queue = () => service.app.get<Queue>(getQueueToken(HOUSEKEEPING_QUEUE), { strict: false });
  const repeated = async () =>
    (await queue().getRepeatableJobs()).map(({ name, every }) => [name, every] as const).toSorted();
  const wanted = Object.entries(HOUSEKEEPING_JOBS).toSorted();

  it('are scheduled once for the whole cluster, and each run is done by one worker', async () => {
    const worker = await startWorker();
    try {
      await eventually(async () => expect(await repeated()).toEqual(wanted));
      const runs = [service.app, worker.app].map((app) =>
        jest.spyOn(app.get(ExpiryService, { strict: false }), 'inbox'),
      );
      const completed: string[] = [];
      await queue().isReady();
      queue().on('global:completed', (id: string) => completed.push(id));
      for (let round = 0; round < 5; round += 1) {
        const next = await eventually(async () => {
          // A check that comes in between schedules the hour that was moved forward once more.
          const delayed = (await queue().getDelayed()).find(
            ({ name, id }) => name === 'expire-inbox' && !completed.includes(String(id)),
          );
          expect(delayed).toBeDefined();
          return delayed!;
        });
        await next.promote();
        await eventually(() => expect(completed).toContain(String(next.id)));
      }
      // Also when a full hour passes meanwhile, there are as many runs as jobs, and no job runs twice.
      expect(new Set(completed).size).toBe(completed.length);
      const calls = runs.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
      expect(calls).toBeGreaterThanOrEqual(5);
      expect(calls).toBeLessThanOrEqual(completed.length);
    } finally {
      jest.restoreAllMocks();
      await worker.stop();
    }
  });

  it('of an older version, by name or interval, are removed at the start', async () => {
    const options = { removeOnComplete: true, removeOnFail: true };
    await queue().add('expire-inbox', {}, { ...options, repeat: { every: 7 * DAY } });
    await queue().add('a-job-of-old', {}, { ...options, repeat: { every: 7 * DAY } });
    expect(await repeated()).toHaveLength(wanted.length + 2);
    const worker = await startWorker();
    await eventually(async () => expect(await repeated()).toEqual(wanted));
    const delayed = (await queue().getDelayed()).map((job) => job.name);
    expect(delayed).not.toContain('a-job-of-old');
    await worker.stop();
  });

  it('are scheduled again when Redis has come back empty', async () => {
    await queue().client.flushdb();
    expect(await repeated()).toEqual([]);
    queue().client.disconnect(true);
    await eventually(async () => expect(await repeated()).toEqual(wanted));
  });
});

describe('Retention', () => {
  const expiry = () => service.app.get(ExpiryService, { strict: false });

  /** Adds messages that are so many days old, each with an event and a charge. @returns their ids */
  async function addMessages(
    count: number,
    age: number,
    { entry = {}, ...fields }: Record<string, unknown> & { entry?: Parameters<typeof fillOutbox>[0] } = {},
  ) {
    const row = { status: 'read', scheduled_at: null, sent_at: daysAgo(age), ...fields };
    const rows = await run(
      `WITH added AS (
        INSERT INTO message_logs (tenant_id, messaging_account_id, template_id, phone, template_name, language,
          components, status, scheduled_at, auto_retry_on_frequency_cap, conversation_category, cost, currency,
          created_at, sent_at)
        SELECT $1, 1, 1, '12025550100', 'order_update', 'en_US', '[]', $2, $3, false, 'UTILITY', 1, 'USD', $4, $5
        FROM generate_series(1, $6) RETURNING id, tenant_id
      ), event AS (
        INSERT INTO message_events (message_log_id, event, occurred_at) SELECT id, 'test', $4 FROM added
      ), charge AS (
        INSERT INTO ledger_entries (tenant_id, message_log_id, kind, amount, currency, created_at)
        SELECT tenant_id, id, 'charge', 1, 'USD', $4 FROM added
      ) SELECT id FROM added ORDER BY id`,
      [service.tenantId, row.status, row.scheduled_at, daysAgo(age), row.sent_at, count],
    );
    await run(fillOutbox(entry));
    return rows.map(({ id }) => id as number);
  }

  async function left(ids: number[]) {
    const [row] = await run(
      `SELECT (SELECT count(*) FROM message_logs WHERE id = ANY($1)) AS messages,
        (SELECT count(*) FROM message_events WHERE message_log_id = ANY($1)) AS events,
        (SELECT count(*) FROM ledger_entries WHERE message_log_id = ANY($1)) AS charges`,
      [ids],
    );
    return row;
  }
  const ALL = (count: number) => ({ messages: count, events: count, charges: count });
  const GONE = (count: number) => ({ messages: 0, events: 0, charges: count });

  it('may run several times at once', async () => {
    const old = await addMessages(6_000, 401);
    await Promise.all([expiry().messages(), expiry().messages(), expiry().messages()]);
    expect(await left(old)).toEqual(GONE(old.length));
  });

  it('deletes messages that ended too long ago with their events, in batches, and keeps the ledger', async () => {
    const old = await addMessages(11_000, 401);
    const others = await Promise.all(
      ['sent', 'delivered', 'failed', 'canceled'].map((status) => addMessages(1, 401, { status })),
    );
    const stays = [
      await addMessages(1, 401, { status: 'scheduled', scheduled_at: daysAgo(-1), sent_at: null }),
      await addMessages(1, 401, { status: 'queued', entry: { resolveAt: `'infinity'` }, sent_at: null }),
      await addMessages(1, 401, { sent_at: daysAgo(399) }),
      await addMessages(1, 399),
    ].flat();
    await expiry().messages();
    expect(await left(old)).toEqual(GONE(old.length));
    expect(await left(others.flat())).toEqual(GONE(others.length));
    expect(await left(stays)).toEqual(ALL(stays.length));
  });

  it('keeps messages that an idempotency key may still refer to, and all messages when the retention is 0', async () => {
    const [yesterday, week] = [await addMessages(1, 2), await addMessages(1, 7)];
    const expiryAfter = (days: number) =>
      new ExpiryService(
        service.database,
        new PartitionStore(service.database),
        service.clock,
        Object.assign(new Config(), { RETENTION_MESSAGES: days, RETENTION_INBOX: days }),
      );
    await expiryAfter(0).messages();
    expect(await left(week)).toEqual(ALL(1));
    await expiryAfter(1).messages();
    expect(await left(week)).toEqual(GONE(1));
    expect(await left(yesterday)).toEqual(ALL(1));
  });

  it('deletes webhook deliveries that were applied long ago, and keeps those that were put aside', async () => {
    const add = (what: string, age: number, processed: Date | null, parked: Date | null) =>
      run(
        `INSERT INTO webhook_inbox (payload, received_at, next_try_at, processed_at, parked_at)
          VALUES ($1, $2, $2, $3, $4)`,
        [what, daysAgo(age), processed, parked],
      );
    await add('applied long ago', 31, daysAgo(31), null);
    await add('parked long ago', 31, null, daysAgo(31));
    await add('applied late', 31, daysAgo(29), null);
    await add('applied just now', 29, daysAgo(29), null);
    await expiry().inbox();
    const kept = (await run('SELECT payload FROM webhook_inbox ORDER BY id')).map(({ payload }) => payload);
    expect(kept).toEqual(expect.arrayContaining(['parked long ago', 'applied late', 'applied just now']));
    expect(kept).not.toContain('applied long ago');
  });

  it('deletes idempotency keys after two days, not after one', async () => {
    const add = (key: string, at: Date) =>
      run(
        `INSERT INTO idempotency_keys (tenant_id, key, body_hash, message_log_id, created_at)
        VALUES ($1, $2, '', 0, $3)`,
        [service.tenantId, key, at],
      );
    await add('young', daysAgo(1));
    await add('old', daysAgo(2.01));
    await expiry().idempotencyKeys();
    expect(await run('SELECT key FROM idempotency_keys')).toEqual([{ key: 'young' }]);
  });

  it('deletes what it knows of lifted opt-outs after ten days, not after nine', async () => {
    for (const [phone, age] of Object.entries({ 49151111: 9, 49151112: 10.01 }))
      await run(`INSERT INTO opt_out_lifts (tenant_id, phone, lifted_at, noted_at) VALUES ($1, $2, $3, $3)`, [
        service.tenantId,
        phone,
        daysAgo(age),
      ]);
    await expiry().optOutLifts();
    expect(await run('SELECT phone FROM opt_out_lifts')).toEqual([{ phone: '49151111' }]);
  });
});
