import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { eventually } from './support/eventually.js';
import { testRedisUrl } from './support/infrastructure.js';
import { startSecondService, startTestService, type TestService } from './support/service.js';

/** A password with every character that has a meaning in a URL. */
const PASSWORD = 'p@ss:w/o?r#d% +&=ä';

describe('The connections to Redis', () => {
  let admin: Redis;
  let user: string;
  let service: TestService;
  let worker: Awaited<ReturnType<typeof startSecondService>>;

  beforeAll(async () => {
    const url = new URL(await testRedisUrl());
    admin = new Redis(url.href);
    user = `us:er@${randomBytes(4).toString('hex')}/`;
    await admin.call('ACL', 'SETUSER', user, 'on', `>${PASSWORD}`, '~*', '&*', '+@all');
    url.username = encodeURIComponent(user);
    url.password = encodeURIComponent(PASSWORD);
    service = await startTestService({ REDIS_URL: url.href, ROLE: 'api' });
  });
  beforeEach(async () => {
    worker = await startSecondService(service, 'worker');
  });
  afterEach(() => worker.stop());
  afterAll(async () => {
    await service.stop();
    await admin.call('ACL', 'DELUSER', user);
    admin.disconnect();
  });

  const isReady = (status: number) =>
    eventually(async () => expect((await worker.api.get('/health/ready')).status).toBe(status));

  it('all use the user, password and database of REDIS_URL, and are few', async () => {
    await isReady(200);
    const id = (await service.api.send('+12025550100')).body.data['message_log_id'];
    await eventually(async () => expect(await service.api.message(id)).toMatchObject({ status: 'read' }));
    const clients = String(await admin.client('LIST')).split('\n');
    const ours = clients.filter((line) => line.includes(` user=${user} `));
    // One of the API; of the worker, one of its own, one for its subscriptions, and one for each of its three queues.
    expect(ours).toHaveLength(6);
    const database = new URL(service.config.REDIS_URL).pathname.slice(1);
    for (const line of ours) expect(line).toContain(` db=${database} `);
  });

  it('may be up while the queues get no jobs, so that a worker is not ready', async () => {
    await isReady(200);
    await admin.call('ACL', 'SETUSER', user, '-brpoplpush');
    await isReady(503);
    const { text } = await worker.api.get('/metrics');
    for (const queue of ['{tms-delivery}', '{tms-retry}', '{tms-housekeeping}'])
      expect(text).toContain(`tms_queue_errors_total{queue="${queue}",kind="error"}`);
    await admin.call('ACL', 'SETUSER', user, '+brpoplpush');
    await isReady(200);
  });
});
