import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getQueueToken } from '@nestjs/bull';
import type { Queue } from 'bull';
import { Client } from 'pg';
import { DELIVERY_QUEUE } from '../src/delivery/delivery.queue.js';
import { RETRY_QUEUE } from '../src/delivery/retry.queue.js';
import { BreakableProxy } from './support/breakable-proxy.js';
import { BreakableRedis } from './support/breakable-redis.js';
import { eventually } from './support/eventually.js';
import { createTestDatabase, type TestDatabase } from './support/infrastructure.js';
import { startTestService, type TestService } from './support/service.js';

/** Keeps claims from ending until it is released. */
class ClaimStall {
  private constructor(private readonly client: Client) {}

  static async on(databaseUrl: string): Promise<ClaimStall> {
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    await client.query(`
      CREATE FUNCTION stall() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN NEW; END';
      CREATE TRIGGER stall BEFORE UPDATE ON outbox FOR EACH ROW
        WHEN (OLD.resolve_at IS NULL AND NEW.resolve_at IS NOT NULL) EXECUTE FUNCTION stall();
      SELECT pg_advisory_lock(1)`);
    return new ClaimStall(client);
  }

  /** How many claims are under way. */
  async count(): Promise<number> {
    const { rows } = await this.client.query(
      `SELECT count(*)::integer AS count FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = 1
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    return rows[0].count;
  }

  async end(): Promise<void> {
    await this.client.query('SELECT pg_advisory_unlock(1)');
    await this.client.end();
  }
}

describe('While PostgreSQL or Redis is out', () => {
  let database: TestDatabase;
  let postgres: BreakableProxy;
  let redis: BreakableRedis;
  let service: TestService;

  beforeAll(async () => {
    database = await createTestDatabase();
    postgres = await BreakableProxy.before(database.serviceUrl);
    redis = await BreakableRedis.start();
    service = await startTestService({ DATABASE_URL: postgres.url, REDIS_URL: redis.url });
  });
  afterAll(async () => {
    await service.stop();
    await postgres.break();
    await redis.stop();
    await database.drop();
  });

  async function expectRead(id: number) {
    await eventually(async () => expect((await service.api.message(id))['status']).toBe('read'));
  }

  const ready = () => service.api.get('/health/ready');

  it('a send without PostgreSQL gets a 503 and is not accepted; when PostgreSQL is back, all goes on by itself', async () => {
    const before = await service.api.send('+12025550100');
    await expectRead(before.body.data['message_log_id']);
    await postgres.break();
    for (const answer of [
      await service.api.send('+12025550100'),
      await service.api.get('/api/v1/messages'),
    ]) {
      expect(answer).toMatchObject({
        status: 503,
        body: { success: false, error: { code: 'SERVICE_UNAVAILABLE' } },
      });
      expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
    }
    expect((await ready()).status).toBe(503);
    expect((await service.api.get('/health/live')).status).toBe(200);

    await postgres.mend();
    await eventually(async () => expect((await ready()).status).toBe(200));
    const after = await service.api.send('+12025550100');
    expect(after.status).toBe(202);
    await expectRead(after.body.data['message_log_id']);
    const list = (await service.api.get('/api/v1/messages')).body.data;
    expect(list).toHaveLength(2);
  });

  it('a send without Redis is accepted, and is sent when Redis is back', async () => {
    await redis.break();
    const sent = await service.api.send('+12025550100');
    expect(sent.status).toBe(202);
    expect(await ready()).toMatchObject({ status: 200, body: { data: { redis: 'down' } } });
    const id = sent.body.data['message_log_id'];
    expect((await service.api.message(id))['status']).toBe('queued');
    await redis.mend();
    await expectRead(id);
    expect((await service.api.message(id))['attempts']).toBe(1);
  });

  it('messages that are claimed while Redis goes out wait until Redis can count them, and none is lost', async () => {
    const scheduled_at = new Date(service.clock.now().getTime() + 60_000).toISOString();
    const ids: number[] = [];
    for (let i = 0; i < 3; i += 1) {
      const sent = await service.api.send(`+1202555030${i}`, { scheduled_at, timezone: 'UTC' });
      ids.push(sent.body.data['message_log_id']);
    }
    const before = service.sandbox.takenCount;
    const stall = await ClaimStall.on(database.url);
    service.clock.forward(60_000);
    await eventually(async () => expect(await stall.count()).toBe(1));
    await redis.break();
    await stall.end();
    await eventually(async () => {
      for (const id of ids)
        expect(await entryOf(id)).toEqual({ isClaimed: false, attempts: 0, isPutOff: true });
    });
    expect(service.sandbox.takenCount).toBe(before);

    await redis.mend();
    for (const id of ids) await expectRead(id);
    for (const id of ids) expect(await service.api.message(id)).toMatchObject({ attempts: 1 });
    expect(service.sandbox.takenCount).toBe(before + ids.length);
  });

  /** The message's entry in the outbox; `isPutOff` when it was claimed and given back. */
  async function entryOf(id: number) {
    const [row] = await service.database.run(
      {
        name: 'test_entry',
        text: `
          SELECT o.resolve_at IS NOT NULL AS "isClaimed", o.attempts, o.due_at > m.scheduled_at AS "isPutOff"
          FROM outbox o JOIN message_logs m ON m.id = o.message_log_id WHERE m.id = $1`,
      },
      [id],
    );
    return row;
  }
});

/** A Redis that was killed and comes back empty may know the id of a job that a worker was taking, but not its data. */
describe('Jobs whose data Redis has lost', () => {
  it('are ignored, and the worker goes on', async () => {
    const service = await startTestService();
    try {
      for (const name of [DELIVERY_QUEUE, RETRY_QUEUE]) {
        const queue = service.app.get<Queue>(getQueueToken(name), { strict: false });
        await queue.add({});
        await eventually(async () => {
          expect(await queue.getJobCounts()).toMatchObject({ waiting: 0, active: 0 });
        });
      }
      const id = (await service.api.send('+12025550100')).body.data['message_log_id'];
      await eventually(async () => expect(await service.api.message(id)).toMatchObject({ status: 'read' }));
    } finally {
      await service.stop();
    }
  });
});
