import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Api, type Answer } from './support/api.js';
import { messageLogIdOf } from './support/copies.js';
import { eventually } from './support/eventually.js';
import { ledgerOf } from './support/ledger.js';
import { RoundRobinProxy } from './support/round-robin-proxy.js';
import { startTestService, type TestService } from './support/service.js';
import { ServiceProcess } from './support/service-process.js';

const GRACE = 10;

/** The service with the sandbox and the data; the processes that are stopped run beside it. */
let service: TestService;
const processes: ServiceProcess[] = [];

beforeAll(async () => {
  service = await startTestService({ ROLE: 'api' }, { limits: false });
  // So fast that accepted messages do not pile up.
  await service.database.run({
    name: 'test_rate',
    text: 'UPDATE messaging_accounts SET messages_per_second = 1000 RETURNING id',
  });
});
afterEach(async () => {
  await Promise.all(processes.splice(0).map((one) => one.kill()));
});
afterAll(() => service.stop());

async function start(role: 'api' | 'worker', drain = 1): Promise<ServiceProcess> {
  const one = new ServiceProcess(service.config, {
    ROLE: role,
    SHUTDOWN_GRACE: GRACE,
    SHUTDOWN_DRAIN: drain,
  });
  processes.push(one);
  await one.untilReady();
  return one;
}

/** Sends messages all the time, several at once, until `stop`. */
function stream(url: string): { stop(): Promise<Answer[]> } {
  const api = new Api(url, service.api.key);
  let stopped = false;
  const send = async (lane: number) => {
    const answers: Answer[] = [];
    for (let i = 0; !stopped; i += 1)
      answers.push(await api.send(`+1${lane}02${5_550_000 + (i % 400) * 10_000 + 101}`.slice(0, 12)));
    return answers;
  };
  const lanes = [2, 3].map((lane) => send(lane));
  return {
    stop: async () => {
      stopped = true;
      return (await Promise.all(lanes)).flat();
    },
  };
}

/** Each message was accepted, and has been sent once. */
async function expectSentOnce(answers: Answer[]): Promise<void> {
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([202]));
  const ids = answers.map((answer) => answer.body.data['message_log_id'] as number);
  await eventually(
    () => {
      const counts = new Map<number | undefined, number>();
      for (const id of service.sandbox.messages().map(messageLogIdOf))
        counts.set(id, (counts.get(id) ?? 0) + 1);
      expect(ids.filter((id) => counts.get(id) !== 1)).toEqual([]);
    },
    { interval: 200 },
  );
  expect(await ledgerOf(service.app).verify()).toMatchObject({ balanced: true });
}

describe('SIGTERM under load', () => {
  it('lets an API process answer its requests while it is not ready, and ends it in time', async () => {
    const api = await start('api', 2);
    await start('worker');
    const load = stream(api.url);
    await eventually(() => expect(service.sandbox.messages().length).toBeGreaterThan(20));
    const ended = api.stop('SIGTERM');
    await eventually(async () => {
      const ready = await new Api(api.url, null).get('/health/ready');
      expect(ready).toMatchObject({ status: 503, body: { error: { details: [{ stopping: true }] } } });
      expect(ready.headers.get('Connection')).toBe('close');
    });
    expect((await new Api(api.url, service.api.key).send('+12025550101')).status).toBe(202);
    await expectSentOnce(await load.stop());
    expect(await ended).toEqual({ code: 0, withinGrace: true });
  });

  it('lets a worker finish its calls while another takes over, and nothing is sent twice', async () => {
    const first = await start('worker');
    const load = stream(service.url);
    await eventually(() => expect(service.sandbox.messages().length).toBeGreaterThan(100));
    await start('worker');
    expect(await first.stop('SIGTERM')).toEqual({ code: 0, withinGrace: true });
    await expectSentOnce(await load.stop());
  });

  it('does not wait for a caller that has stopped sending', async () => {
    const api = await start('api', 0);
    const hanging = fetch(`${api.url}/api/v1/messages/send`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${service.api.key}`, 'Content-Type': 'application/json' },
      body: new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode('{')) }),
      duplex: 'half',
    } as RequestInit).catch(() => 'cut');
    await eventually(async () => expect((await new Api(api.url, null).get('/health/live')).status).toBe(200));
    expect(await api.stop('SIGTERM')).toEqual({ code: 0, withinGrace: true });
    expect(await hanging).toBe('cut');
  });
});

describe('A rolling restart of two API processes and a worker behind a proxy', () => {
  it('fails no request, loses no message and sends no message twice', async () => {
    const proxy = await RoundRobinProxy.start();
    try {
      const [worker, first, second] = await Promise.all([start('worker'), start('api'), start('api')]);
      for (const { url } of [first, second]) proxy.add(url);
      const load = stream(proxy.url);
      for (const old of [first, second]) {
        const fresh = await start('api');
        proxy.add(fresh.url);
        await eventually(() => expect(proxy.answeredBy(fresh.url)).toBeGreaterThan(5));
        expect(await old.stop('SIGTERM')).toEqual({ code: 0, withinGrace: true });
      }
      await start('worker');
      expect(await worker.stop('SIGTERM')).toEqual({ code: 0, withinGrace: true });
      const answers = await load.stop();
      expect(answers.length).toBeGreaterThan(50);
      await expectSentOnce(answers);
    } finally {
      await proxy.stop();
    }
  });
});
