import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { mkdtemp, rm, chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { AppLogger } from '../src/common/logger.js';
import { Config } from '../src/config/config.js';
import { type EmbeddedServices, startEmbedded } from '../src/embedded/embedded-services.js';
import { HOUSEKEEPING_JOBS } from '../src/scheduling/housekeeping.processor.js';
import { type RunningService, startService } from '../src/app/start-service.js';
import { Api, type Answer } from './support/api.js';
import { copiesOf } from './support/copies.js';
import { eventually } from './support/eventually.js';
import { createTestDatabase, type TestDatabase } from './support/infrastructure.js';
import { ledgerOf } from './support/ledger.js';
import './support/matchers.js';
import { startTestService, type TestService } from './support/service.js';

const PHONE = '+12025550101';

let folder: string;
let servers: EmbeddedServices;
let redis: Redis;
let database: TestDatabase;
let direct: Client;
let service: TestService;
let worker: RunningService;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tms-spec-'));
  await chmod(folder, 0o711);
  // A Redis for this file alone, as its faults concern all of its databases.
  servers = await startEmbedded({ postgres: false, redis: true }, folder, () => undefined, {
    durable: false,
  });
  const REDIS_URL = servers.redisUrl as string;
  redis = new Redis(REDIS_URL);
  database = await createTestDatabase();
  direct = new Client({ connectionString: database.url });
  await direct.connect();
  service = await startTestService({ DATABASE_URL: database.serviceUrl, REDIS_URL });
  const config = Object.assign(new Config(), service.config, { ROLE: 'worker' });
  worker = await startService(config, { clock: service.clock, logger: new AppLogger('silent', false) });
});
afterAll(async () => {
  await worker.stop();
  await service.stop();
  await direct.end();
  await database.drop();
  redis.disconnect();
  await servers.stop();
  await rm(folder, { recursive: true, force: true });
});

const ready = (url = service.url) => new Api(url, null).get('/health/ready');
const isReady = (status: number) => eventually(async () => expect((await ready()).status).toBe(status));

async function count(): Promise<number> {
  return Number((await direct.query('SELECT count(*) AS count FROM message_logs')).rows[0].count);
}

async function terminateBackends(): Promise<void> {
  await direct.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`);
}

/** Every accepted message has been sent once. */
async function expectSentOnce(answers: Answer[]): Promise<void> {
  for (const { body } of answers) {
    const id = body.data['message_log_id'];
    await eventually(async () => expect((await service.api.message(id))['status']).toBe('delivered'));
    expect(copiesOf(service, id)).toHaveLength(1);
  }
  expect(await ledgerOf(service.app).verify()).toMatchObject({ balanced: true });
}

/** Sends messages while `fault` happens, and a few more after it. */
async function sendDuring(fault: () => Promise<unknown>, sends = 150): Promise<Answer[]> {
  const answers: Promise<Answer>[] = [];
  for (let i = 0; i < sends; i += 1) {
    answers.push(service.api.send(PHONE.replace(/\d{7}$/, `${5_550_101 + i * 10_000}`.slice(-7))));
    if (i % 10 === 0) await answers.at(-1);
    if (i % 50 === 25) await fault();
  }
  return Promise.all(answers);
}

describe('PostgreSQL', () => {
  it('may end all connections under load: a 202 is one message, a 503 is none, and all goes on by itself', async () => {
    const before = await count();
    const answers = await sendDuring(terminateBackends);
    const accepted = answers.filter((answer) => answer.status === 202);
    for (const answer of answers.filter(({ status }) => status !== 202))
      expect(answer).toBeError(503, 'SERVICE_UNAVAILABLE');
    expect(accepted.length).toBeGreaterThan(0);
    expect(await count()).toBe(before + accepted.length);
    await isReady(200);
    await expectSentOnce(accepted.slice(-20));
  });

  it.each([
    ['53100', 'its disk is full'],
    ['53200', 'it is out of memory'],
    ['57P03', 'it cannot connect now'],
  ])('answers a send with a 503 and accepts nothing when it says %s, %s', async (state) => {
    const before = await count();
    await direct.query(`
      CREATE FUNCTION test_fault() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'not now' USING ERRCODE = '${state}'; END $$;
      CREATE TRIGGER test_fault BEFORE INSERT ON message_logs FOR EACH ROW EXECUTE FUNCTION test_fault()`);
    const answers = await Promise.all([service.api.send(PHONE), service.api.send(PHONE)]);
    for (const answer of answers) {
      expect(answer).toBeError(503, 'SERVICE_UNAVAILABLE', []);
      expect(answer.body.error.message).toContain('nothing was accepted');
    }
    await direct.query('DROP FUNCTION test_fault CASCADE');
    expect(await count()).toBe(before);
    await expectSentOnce([await service.api.send(PHONE)]);
  });

  it('that refuses writes after a fail-over makes the service not ready until it accepts them again', async () => {
    const name = new URL(database.url).pathname.slice(1);
    await direct.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    await terminateBackends();
    await isReady(503);
    expect(await service.api.send(PHONE)).toBeError(503, 'SERVICE_UNAVAILABLE', []);
    expect((await service.api.get('/health/live')).status).toBe(200);
    await direct.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
    await terminateBackends();
    await isReady(200);
    await expectSentOnce([await service.api.send(PHONE)]);
  });
});

describe('Redis', () => {
  it('may be wiped under load, with the jobs of housekeeping', async () => {
    const answers = await sendDuring(() => redis.flushall());
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([202]));
    await expectSentOnce(answers.slice(-20));
    await eventually(async () =>
      expect(await redis.zcard('bull:{tms-housekeeping}:repeat')).toBe(Object.keys(HOUSEKEEPING_JOBS).length),
    );
  });

  it('that refuses writes during a fail-over stops only sending, and makes workers not ready', async () => {
    await redis.replicaof('127.0.0.1', '1');
    await eventually(async () => expect((await ready(worker.url)).status).toBe(503));
    expect(await ready()).toMatchObject({ status: 200, body: { data: { redis: 'down' } } });
    const sent = await service.api.send(PHONE);
    expect(sent.status).toBe(202);
    await redis.replicaof('NO', 'ONE');
    await eventually(async () => expect((await ready(worker.url)).status).toBe(200));
    await expectSentOnce([sent]);
  });
});
