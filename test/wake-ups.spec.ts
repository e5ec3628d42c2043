import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { HoldsService } from '../src/outbox/holds/holds.service.js';
import { OutboxStore } from '../src/outbox/outbox.store.js';
import { OutcomesStore } from '../src/delivery/outcomes.store.js';
import { MESSAGE_DUE } from '../src/database/notifications.js';
import { SHARDS } from '../src/shards/shards.js';
import { DueWatchService } from '../src/scheduling/due-watch.service.js';
import { DueNumbersStore } from '../src/scheduling/due-numbers.store.js';
import { eventually } from './support/eventually.js';
import { directUrlOf } from './support/infrastructure.js';
import { addNumbers } from './support/numbers.js';
import { startTestService, type TestService } from './support/service.js';

const DAY = 24 * 3_600_000;
const ALL_SHARDS = Array.from({ length: SHARDS }, (_, shard) => shard);
/** More messages than one statement releases. */
const MANY = 1_050;

describe('The workers are notified', () => {
  let service: TestService;
  let listener: pg.Client;
  const told: string[] = [];

  beforeAll(async () => {
    service = await startTestService();
    listener = new pg.Client({ connectionString: directUrlOf(service.config) });
    await listener.connect();
    listener.on('notification', ({ channel, payload = '' }) => {
      if (channel.startsWith(MESSAGE_DUE)) told.push(payload);
    });
    for (const shard of ALL_SHARDS) await listener.query(`LISTEN ${MESSAGE_DUE}${shard}`);
  });
  beforeEach(() => void told.splice(0));
  afterAll(async () => {
    await listener.end();
    await service.stop();
  });

  const holds = () => service.app.get(HoldsService, { strict: false });
  const run = (text: string, values: unknown[] = []) =>
    service.database.run<Record<string, any>>({ name: '', text }, values);

  /** Waits until all notifications so far have arrived. @returns them */
  async function allHeard(): Promise<string[]> {
    await run(`SELECT pg_notify('${MESSAGE_DUE}0', '0')`);
    await eventually(() => expect(told).toContain('0'));
    return told.filter((payload) => payload !== '0');
  }

  async function schedule(milliseconds: number): Promise<number> {
    const scheduled_at = new Date(service.clock.now().getTime() + milliseconds).toISOString();
    const { body } = await service.api.send('+12025550100', { scheduled_at, timezone: 'UTC' });
    return body.data['message_log_id'];
  }

  const numberOf = async (id: number) =>
    String((await run('SELECT messaging_account_id AS id FROM message_logs WHERE id = $1', [id]))[0]!['id']);

  it('of any number of numbers, though a notification has 8,000 bytes at most', async () => {
    const watch = service.app.get(DueNumbersStore, { strict: false });
    const ids = Array.from({ length: 2_000 }, (_, i) => 1_000_000_000 + i * SHARDS); // all of one shard
    await watch.tell(ids);
    const heard = (await allHeard()).flatMap((payload) => payload.split(',').map(Number));
    expect(heard.toSorted((a, b) => a - b)).toEqual(ids);
  });

  it('of no number when nothing is due, by messages for another day, ended holds or decided outcomes', async () => {
    for (let i = 0; i < 5; i += 1) await schedule(DAY);
    await service.app.get(OutboxStore, { strict: false }).releaseHeld();
    await service.app.get(OutcomesStore, { strict: false }).resolveUnknown([]);
    expect(await allHeard()).toEqual([]);
  });

  it('of a number whose message is due before their next look', async () => {
    const id = await schedule(3_000);
    expect(await allHeard()).toEqual([await numberOf(id)]);
  });

  it('of the numbers that waited for a lifted hold, and of no other', async () => {
    const { tenant, numbers } = await addNumbers(service, [80, 80]);
    const [first] = numbers as [(typeof numbers)[0]];
    const place = async (scope: string, target: string) => {
      const [hold] = await run(
        `INSERT INTO holds (tenant_id, scope, target_id, cause, error, created_at, next_probe_at)
        VALUES ($1, $2, $3, 'auth', '{}', now(), now() + interval '1 day') RETURNING id`,
        [tenant.id, scope, target],
      );
      return hold!['id'] as number;
    };
    await holds().lift(await place('number', String(first.id)), 'test');
    expect(await allHeard()).toEqual([String(first.id)]);
    told.splice(0);
    const [account] = await run('SELECT business_account_id AS id FROM messaging_accounts WHERE id = $1', [
      first.id,
    ]);
    await holds().lift(await place('business_account', account!['id']), 'test');
    const ids = (await allHeard()).flatMap((payload) => payload.split(','));
    expect(ids.map(Number).toSorted()).toEqual(numbers.map(({ id }) => id).toSorted());
  });

  it('by one look at a time, and by one more for all callers during a look', async () => {
    const numbers = service.app.get(DueNumbersStore, { strict: false });
    const watch = service.app.get(DueWatchService, { strict: false });
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const looks = { underWay: 0, most: 0, count: 0 };
    const dueBy = numbers.dueBy.bind(numbers);
    numbers.dueBy = async (time, shards) => {
      looks.count += 1;
      looks.most = Math.max(looks.most, (looks.underWay += 1));
      await gate;
      const due = await dueBy(time, shards);
      looks.underWay -= 1;
      return due;
    };
    await eventually(() => expect(looks.underWay).toBe(1));
    const asked = [watch['look'](), watch['look'](), watch['look']()];
    open();
    await Promise.all(asked);
    await eventually(() => expect(looks.count).toBeGreaterThan(1));
    expect(looks.most).toBe(1);
    numbers.dueBy = dueBy;
  });

  it('in steps when a hold on very many messages ends', async () => {
    const { tenant, numbers, queue } = await addNumbers(service, [1_000]);
    const [number] = numbers as [(typeof numbers)[0]];
    const [template] = await run('SELECT id FROM templates WHERE tenant_id = $1', [tenant.id]);
    const [hold] = await run(
      `INSERT INTO holds (tenant_id, scope, target_id, cause, error, created_at, next_probe_at)
      VALUES ($1, 'template', $2, 'template_recoverable', '{}', now(), now() + interval '1 day') RETURNING id`,
      [tenant.id, String(template!['id'])],
    );
    await queue(number.id, MANY);
    await run('UPDATE outbox SET held_by = $1 WHERE messaging_account_id = $2 AND resolve_at IS NULL', [
      hold!['id'],
      number.id,
    ]);
    const held = async () =>
      (await run('SELECT count(*) FROM outbox WHERE held_by = $1', [hold!['id']]))[0]!['count'];
    expect(await held()).toBe(MANY);
    told.splice(0);
    await holds().lift(hold!['id'], 'test');
    await eventually(async () => expect(await held()).toBe(0));
    expect((await allHeard()).filter((ids) => ids === String(number.id)).length).toBeGreaterThan(1);
  });
});

it('A look at all numbers reads as many rows as numbers have due messages, however many numbers exist', async () => {
  const service = await startTestService();
  try {
    await service.database.run({
      name: '',
      text: `
        INSERT INTO messaging_accounts (api_id, tenant_id, business_account_id, phone_number_id, phone, name)
        SELECT 'acc_' || i, tenant_id, business_account_id, 'many-' || i, '1', 'Many'
        FROM messaging_accounts n, generate_series(1, 10000) i WHERE n.id = 1`,
    });
    const scheduled_at = new Date(service.clock.now().getTime() + DAY).toISOString();
    await service.api.send('+12025550100', { scheduled_at, timezone: 'UTC' });
    await service.database.transaction(async (connection) => {
      const numbers = new DueNumbersStore(connection as never, service.clock);
      const dayAfter = new Date(service.clock.now().getTime() + 2 * DAY);
      expect(await numbers.dueBy(dayAfter, ALL_SHARDS)).toHaveLength(1);
      const [row] = await connection.run<{ reads: number }>({
        name: '',
        text: `
          SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint AS reads FROM pg_stat_xact_user_tables
          WHERE relname IN ('messaging_accounts', 'message_logs', 'outbox')`,
      });
      expect(row!.reads).toBeLessThan(100);
    });
  } finally {
    await service.stop();
  }
});

it('Looks at parts of the shards read together as much as one look at all of them', async () => {
  const service = await startTestService({ ROLE: 'api' });
  try {
    for (const text of [
      `INSERT INTO messaging_accounts (api_id, tenant_id, business_account_id, phone_number_id, phone, name)
        SELECT 'acc_' || i, tenant_id, business_account_id, 'many-' || i, '1', 'Many'
        FROM messaging_accounts n, generate_series(1, 1000) i WHERE n.id = 1`,
      `INSERT INTO outbox (message_log_id, tenant_id, messaging_account_id, template_id, category, created_at, due_at)
        SELECT n.id * 10 + i, n.tenant_id, n.id, 1, 'UTILITY', now(), now() FROM messaging_accounts n, generate_series(1, 5) i
        WHERE phone_number_id LIKE 'many-%'`,
      'ANALYZE outbox',
    ])
      await service.database.run({ name: '', text });
    await service.database.transaction(async (connection) => {
      const numbers = new DueNumbersStore(connection as never, service.clock);
      const scansOf = async (parts: number[][]) => {
        const scans = async () =>
          (
            await connection.run<{ count: number }>({
              name: '',
              text: `SELECT seq_scan * 1000000 + idx_scan AS count FROM pg_stat_xact_user_tables WHERE relname = 'outbox'`,
            })
          )[0]!.count;
        const before = await scans();
        const found = [];
        for (const part of parts) found.push(...(await numbers.dueBy(service.clock.now(), part)));
        expect(found).toHaveLength(1_000);
        return (await scans()) - before;
      };
      const inOne = await scansOf([ALL_SHARDS]);
      const parts = Array.from({ length: 8 }, (_, part) => ALL_SHARDS.filter((shard) => shard % 8 === part));
      expect(await scansOf(parts)).toBe(inOne);
      expect(inOne).toBeLessThan(1_000 + 2 * SHARDS);
    });
  } finally {
    await service.stop();
  }
});
