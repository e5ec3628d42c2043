import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectSentThrough } from './support/failover.js';
import { SENTINEL_PASSWORD, TestSentinels } from './support/redis-sentinels.js';
import { eventually } from './support/eventually.js';
import { startSecondService, startTestService, type TestService } from './support/service.js';

describe('On a Redis with sentinels', () => {
  let group: TestSentinels;
  let service: TestService;
  let worker: Awaited<ReturnType<typeof startSecondService>>;

  beforeAll(async () => {
    group = await TestSentinels.start();
    service = await startTestService({
      REDIS_URL: group.url,
      REDIS_SENTINEL_PASSWORD: SENTINEL_PASSWORD,
    });
    worker = await startSecondService(service, 'worker');
  });
  afterAll(async () => {
    await worker.stop();
    await service.stop();
    await group.stop();
  });

  const isReady = (status: number) =>
    eventually(async () => expect((await worker.api.get('/health/ready')).status).toBe(status));

  it('each message goes out once while the master is killed and a replica takes over', async () => {
    await isReady(200);
    const master = await group.master();
    await expectSentThrough(service, 2, () => master.kill());
    await group.untilReplaced(master);
    await isReady(200);
  });

  it('each message goes out once while the master and a sentinel are silent and a replica takes over', async () => {
    const master = await group.master();
    const [sentinel] = group.sentinels.slice(1);
    await expectSentThrough(service, 2, async () => {
      await sentinel!.pause();
      await master.pause();
    });
    await group.untilReplaced(master);
    await isReady(200);
  });

  it('a worker is not ready while there is no master', async () => {
    const master = await group.master();
    await master.pause();
    await isReady(503);
    await eventually(async () => expect((await worker.api.get('/metrics')).text).toContain('tms_redis_up 0'));
    const sent = await service.api.send('+12025550100');
    expect(sent.status).toBe(202);
    await master.resume();
    await isReady(200);
    const id = sent.body.data['message_log_id'];
    await eventually(async () =>
      expect(await service.api.message(id)).toMatchObject({ status: 'read', attempts: 1 }),
    );
  });
});
