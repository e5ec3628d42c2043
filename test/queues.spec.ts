import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DiscoveryService } from '@nestjs/core';
import Bull, { type Queue } from 'bull';
import { AppLogger } from '../src/common/logger.js';
import { Queues } from '../src/database/queues.js';
import { BreakableRedis } from './support/breakable-redis.js';
import { eventually } from './support/eventually.js';
import { startTestService, type TestService } from './support/service.js';

describe('Every queue', () => {
  let redis: BreakableRedis;
  let service: TestService;
  let queues: Queue[];

  beforeAll(async () => {
    redis = await BreakableRedis.start();
    service = await startTestService({ REDIS_URL: redis.url });
    const providers = service.app.get(DiscoveryService, { strict: false }).getProviders();
    queues = providers.map(({ instance }) => instance).filter((one) => one instanceof Bull);
  });
  afterAll(async () => {
    await service.stop();
    await redis.stop();
  });

  const expectCounted = (kind: string) =>
    eventually(async () => {
      const { text } = await service.api.get('/metrics');
      for (const { name } of queues)
        expect(text).toMatch(`\ntms_queue_errors_total{queue="${name}",kind="${kind}"} `);
    });

  it('is in the list of queues that the service watches', () => {
    expect(queues.length).toBeGreaterThan(2);
    const names = queues.map(({ name }) => name);
    expect(service.app.get(Queues).names.toSorted()).toEqual(names.toSorted());
  });

  it('has its failed jobs counted', async () => {
    for (const queue of queues) await queue.add('nobody-does-this', {});
    await expectCounted('failed');
  });

  it('has its errors counted, and each cause logged once', async () => {
    const said: string[] = [];
    const keep = (line: { message?: string } | string) =>
      void said.push(typeof line === 'string' ? line : String(line.message));
    service.app.useLogger({ log: keep, warn: keep, error: keep });
    try {
      await redis.break();
      await expectCounted('error');
      await eventually(() => expect(said.join('\n')).toContain('Redis is out'));
      await redis.mend();
      await eventually(() => expect(said.join('\n')).toContain('Redis is back'));
      expect(said.length).toBe(new Set(said).size);
    } finally {
      service.app.useLogger(new AppLogger(service.config.LOG_LEVEL, false));
    }
  });
});
