import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectSentThrough } from './support/failover.js';
import { SENTINEL_PASSWORD, TestSentinels } from './support/redis-sentinels.js';
import { eventually } from './support/eventually.js';
import { startSecondService, startTestService, type TestService } from './support/service.js';
import { ServiceProcess } from './support/service-process.js';

describe('With rediss+sentinel://', () => {
  let group: TestSentinels;
  let service: TestService;
  let worker: ServiceProcess;

  beforeAll(async () => {
    group = await TestSentinels.start({ tls: true });
    service = await startTestService({ ROLE: 'api' });
    const own = {
      ROLE: 'worker',
      REDIS_URL: group.url,
      REDIS_SENTINEL_PASSWORD: SENTINEL_PASSWORD,
    } as const;
    worker = new ServiceProcess(service.config, own, { NODE_EXTRA_CA_CERTS: group.certificateFile });
    await worker.untilReady();
  });
  afterAll(async () => {
    await worker.kill();
    await service.stop();
    await group.stop();
  });

  it('a worker sends by TLS, also when a replica has taken over', async () => {
    const send = async () => (await service.api.send('+12025550100')).body.data['message_log_id'];
    const isRead = (id: number) =>
      eventually(async () => expect(await service.api.message(id)).toMatchObject({ status: 'read' }));
    await isRead(await send());
    const master = await group.master();
    await master.kill();
    await group.untilReplaced(master);
    await isRead(await send());
  });
});

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
