import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { Api } from './support/api.js';
import { eventually } from './support/eventually.js';
import { startTestService, type TestService } from './support/service.js';
import { ServiceProcess } from './support/service-process.js';
import { TlsRedis } from './support/tls-redis.js';

describe('A worker with rediss://', () => {
  let redis: TlsRedis;
  let service: TestService;
  const workers: ServiceProcess[] = [];

  beforeAll(async () => {
    redis = await TlsRedis.start();
    service = await startTestService({ ROLE: 'api' });
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.kill()));
  });
  afterAll(async () => {
    await service.stop();
    await redis.stop();
  });

  function start(env: Record<string, string>): ServiceProcess {
    const own = { ROLE: 'worker', REDIS_URL: redis.url, LOG_LEVEL: 'silent' } as const;
    const worker = new ServiceProcess(service.config, own, env);
    workers.push(worker);
    return worker;
  }

  it('sends messages when NODE_EXTRA_CA_CERTS names the authority of the Redis', async () => {
    await start({ NODE_EXTRA_CA_CERTS: redis.certificateFile }).untilReady();
    const sent = await service.api.send('+12025550100');
    const id = sent.body.data['message_log_id'];
    await eventually(async () => expect(await service.api.message(id)).toMatchObject({ status: 'read' }));
  });

  it('is not ready while it does not know the authority', async () => {
    const worker = start({});
    await worker.untilListening();
    const { status, body } = await new Api(worker.url, null).get('/health/ready');
    expect(status).toBe(503);
    expect(body.error.details).toMatchObject([{ postgres: 'up', redis: 'down' }]);
  });
});

describe.each(['rediss', 'REDISS'])('A Redis that does not speak TLS, with %s://', (scheme) => {
  const PASSWORD = 'never-in-the-clear';
  /** The first bytes of each connection. */
  const heard: Buffer[] = [];
  let listener: Server;
  let service: TestService;

  beforeAll(async () => {
    listener = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', (chunk) => {
        heard.push(chunk);
        socket.destroy();
      });
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const { port } = listener.address() as AddressInfo;
    service = await startTestService({ REDIS_URL: `${scheme}://:${PASSWORD}@127.0.0.1:${port}/0` });
  });
  afterAll(async () => {
    await service.stop();
    listener.close();
  });

  it('gets no password and no command over any connection', async () => {
    await eventually(() => expect(heard.length).toBeGreaterThan(20));
    const TLS_HANDSHAKE = 0x16;
    expect(new Set(heard.map(([first]) => first))).toEqual(new Set([TLS_HANDSHAKE]));
    expect(Buffer.concat(heard).includes(PASSWORD)).toBe(false);
  });
});
