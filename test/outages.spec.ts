import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BreakableProxy } from './support/breakable-proxy.js';
import { eventually } from './support/eventually.js';
import { createTestDatabase, testRedisUrl, type TestDatabase } from './support/infrastructure.js';
import { startTestService, type TestService } from './support/service.js';

describe('While something is out', () => {
  let database: TestDatabase;
  let postgres: BreakableProxy;
  let redis: BreakableProxy;
  let service: TestService;

  beforeAll(async () => {
    database = await createTestDatabase();
    postgres = await BreakableProxy.before(database.url);
    redis = await BreakableProxy.before(await testRedisUrl());
    service = await startTestService({ DATABASE_URL: postgres.url, REDIS_URL: redis.url });
  });
  afterAll(async () => {
    await service.stop();
    await postgres.break();
    await redis.break();
    await database.drop();
  });

  async function expectRead(id: number) {
    await eventually(async () => expect((await service.api.message(id))['status']).toBe('read'), {
      timeout: 20_000,
    });
  }

  const ready = () => service.api.get('/health/ready');

  it('a send without PostgreSQL gets a 503 and nothing is accepted; with it back, all goes on by itself', async () => {
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

  it('a send without Redis is accepted, and goes out when Redis is back', async () => {
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
});
