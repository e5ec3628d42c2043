import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { within } from '../src/common/within.js';
import { Api, type Answer } from './support/api.js';
import { BreakableRedis } from './support/breakable-redis.js';
import { copiesOf } from './support/copies.js';
import { eventually } from './support/eventually.js';
import { startTestService, type TestService } from './support/service.js';
import { ServiceProcess } from './support/service-process.js';

/** Milliseconds for which the network drops what is sent: several times as long as every wait of the service. */
const SILENCE = 20_000;

/** Milliseconds: the ten seconds after which all works again, and as much again for a slow machine. */
const RECOVERY = 20_000;

/** Milliseconds within which every answer comes: five seconds, and as much again for a slow machine. */
const ANSWERED = 10_000;

const STATES = 'SELECT DISTINCT status, attempts FROM message_logs WHERE id = ANY($1)';

/** A Redis whose host disappears: packets are dropped, and no connection is closed. */
describe('A silent Redis', () => {
  let redis: BreakableRedis;
  let service: TestService;

  beforeAll(async () => {
    redis = await BreakableRedis.start();
    service = await startTestService({ REDIS_URL: redis.url });
  });
  afterEach(() => redis.speak());
  afterAll(async () => {
    await service.stop();
    await redis.stop();
  });

  const answered = (answer: Promise<Answer>) => within(ANSWERED, answer, () => new Error('No answer'));
  const ready = () => answered(service.api.get('/health/ready'));
  const isReady = (part: 'up' | 'down') =>
    eventually(async () =>
      expect(await ready()).toMatchObject({ status: 200, body: { data: { redis: part } } }),
    );

  let sends = 0;
  async function send(): Promise<Answer> {
    const sent = await answered(service.api.send(`+1202555${2_000 + sends++}`));
    expect(sent.status).toBe(202);
    return sent;
  }

  /** All messages are read soon, with one copy of each. */
  async function expectReadOnce(answers: Answer[]) {
    const start = performance.now();
    const ids = answers.map(({ body }) => body.data['message_log_id'] as number);
    const states = { name: 'test_states', text: STATES };
    await eventually(async () =>
      expect(await service.database.run(states, [ids])).toEqual([{ status: 'read', attempts: 1 }]),
    );
    expect(performance.now() - start).toBeLessThan(RECOVERY);
    for (const id of ids) expect(copiesOf(service, id)).toHaveLength(1);
  }

  it('on the open connections does not stop sending, which uses new ones', async () => {
    await isReady('up');
    redis.silence('open');
    await expectReadOnce(await Promise.all([send(), send(), send()]));
    await isReady('up');
  });

  it('for a while is noticed at once; messages are accepted meanwhile, and sent once after it', async () => {
    await isReady('up');
    const answers = [await send()];
    redis.silence('all');
    const end = performance.now() + SILENCE;
    await isReady('down');
    const told = new Set<string>();
    await eventually(
      async () => {
        answers.push(await send(), await send());
        told.add((await ready()).body.data['redis']);
        expect(performance.now()).toBeGreaterThan(end);
      },
      { interval: 1_000 },
    );
    expect([...told]).toEqual(['down']);
    redis.speak();
    await expectReadOnce(answers);
    await isReady('up');
    await expectReadOnce([await send()]);
  });
});

describe('A worker', () => {
  const GRACE = 10;
  let redis: BreakableRedis;
  let service: TestService;
  let worker: ServiceProcess;

  beforeAll(async () => {
    redis = await BreakableRedis.start();
    service = await startTestService({ ROLE: 'api' });
  });
  afterEach(async () => {
    redis.speak();
    await worker.kill();
  });
  afterAll(async () => {
    await service.stop();
    await redis.stop();
  });

  function start() {
    const own = { ROLE: 'worker', REDIS_URL: redis.url, SHUTDOWN_GRACE: GRACE } as const;
    worker = new ServiceProcess(service.config, own);
  }

  const isReady = (status: number) =>
    eventually(async () =>
      expect((await new Api(worker.url, null).get('/health/ready')).status).toBe(status),
    );

  it('stops in time when Redis is silent', async () => {
    start();
    await worker.untilReady();
    redis.silence('all');
    await service.api.send('+12025550100');
    await isReady(503);
    expect(await worker.stop('SIGTERM')).toEqual({ code: 0, withinGrace: true });
  });

  it('stops in time at the moment when Redis becomes silent', async () => {
    start();
    await worker.untilReady();
    for (let i = 0; i < 20; i += 1) await service.api.send(`+1202555${2_000 + i}`);
    redis.silence('all');
    expect(await worker.stop('SIGTERM')).toEqual({ code: 0, withinGrace: true });
  });

  it('that starts while Redis is silent begins to work when Redis answers, and can stop in time before that', async () => {
    redis.silence('all');
    start();
    await worker.untilListening();
    expect(await worker.stop('SIGTERM')).toEqual({ code: 0, withinGrace: true });

    start();
    await worker.untilListening();
    const id = (await service.api.send('+12025550100')).body.data['message_log_id'];
    await isReady(503);
    redis.speak();
    await eventually(async () => expect(await service.api.message(id)).toMatchObject({ status: 'read' }));
    await isReady(200);
  });
});
