import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { RedisConnection } from '../src/database/redis.js';
import { DELIVERY_QUEUE } from '../src/delivery/delivery.queue.js';
import { eventually } from './support/eventually.js';
import { expectSentThrough } from './support/failover.js';
import { TestCluster } from './support/redis-cluster.js';
import type { RedisServer } from './support/redis-server.js';
import { startSecondService, startTestService, type TestService } from './support/service.js';
import { ServiceProcess } from './support/service-process.js';

describe('On a Redis Cluster', () => {
  let cluster: TestCluster;
  let service: TestService;
  let worker: Awaited<ReturnType<typeof startSecondService>>;

  beforeAll(async () => {
    cluster = await TestCluster.start({ replicas: true, locked: true, tls: true });
    service = await startTestService({ REDIS_URL: cluster.url });
    worker = await startSecondService(service, 'worker');
  });
  afterEach(() => cluster.untilWhole());
  afterAll(async () => {
    await worker.stop();
    await service.stop();
    await cluster.stop();
  });

  const ready = () => worker.api.get('/health/ready');
  const isReady = (status: number) => eventually(async () => expect((await ready()).status).toBe(status));

  it('messages go out at their rates, which are kept on several nodes', async () => {
    await isReady(200);
    await expectSentThrough(service, 6, () => Promise.resolve());
    const counts = await Promise.all(cluster.nodes.map(({ admin }) => admin.keys('{tms:*}:rate:*')));
    expect(counts.filter((keys) => keys.length > 0).length).toBeGreaterThan(2); // more than a master and its replica
    const text = (await worker.api.get('/metrics')).text;
    expect(text).toContain('tms_redis_up 1');
    expect(text).not.toContain('tms_queue_errors_total{');
  });

  it('each message goes out once while the master of the queue is killed and its replica takes over', async () => {
    let killed: RedisServer | undefined;
    await expectSentThrough(service, 3, async () => {
      killed = await cluster.masterOf(DELIVERY_QUEUE);
      await killed.kill();
    });
    expect((await cluster.masterOf(DELIVERY_QUEUE)).port).not.toBe(killed!.port);
    await killed!.restart();
    await isReady(200);
  });

  it('each message goes out once while the master of the queue is silent and its replica takes over', async () => {
    let silent: RedisServer | undefined;
    await expectSentThrough(service, 3, async () => {
      silent = await cluster.masterOf(DELIVERY_QUEUE);
      await silent.pause();
    });
    expect((await cluster.masterOf(DELIVERY_QUEUE)).port).not.toBe(silent!.port);
    await silent!.resume();
    await isReady(200);
  });

  it('every master has all scripts, so that a transaction finds them after a slot has moved', async () => {
    const { client } = service.app.get(RedisConnection);
    const scripts = Object.values(client.scriptsSet as Record<string, { sha: string }>).map(({ sha }) => sha);
    expect(scripts.length).toBeGreaterThan(20);
    for (const name of ['{tms-delivery}', '{tms-retry}', '{tms-housekeeping}']) {
      const { admin } = await cluster.masterOf(name);
      await eventually(async () =>
        expect(await admin.script('EXISTS', ...scripts)).toEqual(scripts.map(() => 1)),
      );
    }
  });

  it('a worker is not ready while a range of slots is lost, says which, and goes on when it is back', async () => {
    const lost = await cluster.masterOf(DELIVERY_QUEUE);
    const [slots = ''] =
      / myself,.* (\d+-\d+)$/m.exec(String(await lost.admin.cluster('NODES')))?.slice(1) ?? [];
    const all = [lost, ...(await cluster.replicasOf(lost))];
    for (const node of all) await node.kill();
    const expectLate = (names: unknown) =>
      eventually(async () => {
        const { status, body } = await ready();
        expect(status).toBe(503);
        expect(body.error.details).toMatchObject([{ redis: 'down', late: names }]);
      });
    await expectLate(expect.arrayContaining(['Redis', `Redis slots ${slots}`])); // none takes writes any more
    const others = cluster.nodes.filter((node) => !all.includes(node));
    for (const { admin } of others) await admin.config('SET', 'cluster-require-full-coverage', 'no');
    await expectLate(expect.not.arrayContaining(['Redis']));
    await expectLate(expect.arrayContaining([`Redis slots ${slots}`]));
    expect((await worker.api.get('/metrics')).text).toContain('tms_redis_up 0');
    expect((await service.api.get('/health/ready')).body.data).toMatchObject({ redis: 'down' });
    const sent = await service.api.send('+12025550100');
    expect(sent.status).toBe(202);
    for (const node of all) await node.restart();
    await isReady(200);
    const id = sent.body.data['message_log_id'];
    await eventually(async () =>
      expect(await service.api.message(id)).toMatchObject({ status: 'read', attempts: 1 }),
    );
  });

  it('a worker with rediss+cluster:// sends by TLS', async () => {
    const api = await startTestService({ ROLE: 'api', REDIS_URL: cluster.url });
    const env = { NODE_EXTRA_CA_CERTS: cluster.certificateFile };
    const process = new ServiceProcess(api.config, { ROLE: 'worker', REDIS_URL: cluster.tlsUrl }, env);
    try {
      await process.untilReady();
      const id = (await api.api.send('+12025550100')).body.data['message_log_id'];
      await eventually(async () => expect(await api.api.message(id)).toMatchObject({ status: 'read' }));
    } finally {
      await process.kill();
      await api.stop();
    }
  });
});
