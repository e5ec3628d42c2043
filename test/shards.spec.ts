import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Notifications } from '../src/database/notifications.js';
import { InFlight } from '../src/delivery/in-flight.js';
import { SHARDS, shardOf } from '../src/shards/shards.js';
import { DueWatchService } from '../src/scheduling/due-watch.service.js';
import { ShardLeasesService } from '../src/shards/shard-leases.service.js';
import { BreakableProxy } from './support/breakable-proxy.js';
import { messageLogIdOf } from './support/copies.js';
import { eventually } from './support/eventually.js';
import { addNumbers, takenFrom, type TestNumber, type TestNumbers } from './support/numbers.js';
import { ServiceProcess } from './support/service-process.js';
import { startSecondService, startTestService, type TestService } from './support/service.js';

type Worker = Awaited<ReturnType<typeof startSecondService>>;

const ALL = Array.from({ length: SHARDS }, (_, shard) => shard);

/** A worker that stands still goes on long before what it has claimed is sent again, on slow machines too. */
const PATIENT = { PROVIDER_TIMEOUT: 2_000, UNKNOWN_OUTCOME_WINDOW: 30 };

let service: TestService;
const ends: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  service = await startTestService({ ROLE: 'api', ...PATIENT });
  ends.push(() => service.stop());
});
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

async function startWorker(of = service): Promise<Worker> {
  const worker = await startSecondService(of, 'worker');
  ends.push(() => worker.stop());
  return worker;
}

async function startWorkerProcess(): Promise<ServiceProcess> {
  const config = { ROLE: 'worker', ...PATIENT } as const;
  const worker = new ServiceProcess(service.config, config);
  ends.push(() => worker.kill());
  await worker.untilReady();
  return worker;
}

const leasesOf = ({ app }: Worker) => app.get(ShardLeasesService, { strict: false });
const run = (text: string, values: unknown[] = []) =>
  service.database.run<Record<string, any>>({ name: '', text }, values);

/** The workers hold so many shards, from the one with the fewest on, and each shard is one's. */
const expectParts = (workers: Worker[], parts: number[]) =>
  eventually(() => {
    const held = workers.map((worker) => leasesOf(worker).held);
    expect(held.map(({ length }) => length).toSorted((a, b) => a - b)).toEqual(parts);
    expect(held.flat().toSorted((a, b) => a - b)).toEqual(ALL);
  });

/** Two workers that hold every other shard, and a number of each, whose messages do not wait for a look. */
async function startTwo(
  rate = 80,
): Promise<{ worker: Worker; number: TestNumber; queue: TestNumbers['queue'] }[]> {
  const workers = [await startWorker(), await startWorker()];
  await expectParts(workers, [32, 32]);
  const ids = workers.map((worker) => leasesOf(worker)['workerId']);
  await run('UPDATE shards SET worker_id = ($1::uuid[])[1 + id % 2]', [ids]);
  await eventually(() =>
    workers.forEach((worker, i) => expect(leasesOf(worker).held.every((id) => id % 2 === i)).toBe(true)),
  );
  const { numbers, queue } = await addNumbers(service, [rate, rate]);
  return workers.map((worker) => {
    worker.app.get(DueWatchService, { strict: false })['look'] = () => Promise.resolve();
    return { worker, number: numbers.find(({ id }) => leasesOf(worker).holds(id))!, queue };
  });
}

const taken = ({ phone_number_id }: TestNumber) => takenFrom(service, phone_number_id);

async function expectEachSentOnce(number: TestNumber, count: number): Promise<void> {
  await eventually(() => expect(new Set(taken(number).map(messageLogIdOf)).size).toBe(count));
  await eventually(async () => {
    const [left] = await run('SELECT count(*) FROM outbox WHERE messaging_account_id = $1', [number.id]);
    expect(left).toEqual({ count: 0 });
  });
  expect(taken(number)).toHaveLength(count);
}

describe('Workers share the shards', () => {
  it('evenly: a new worker gets its part, and the others take the shards of a worker that stops', async () => {
    const first = await startWorker();
    await expectParts([first], [64]);
    expect((await first.api.get('/metrics')).text).toContain('tms_shards_held 64');
    const second = await startWorker();
    await expectParts([first, second], [32, 32]);
    const third = await startSecondService(service, 'worker');
    await expectParts([first, second, third], [21, 21, 22]);
    expect((await third.api.get('/metrics')).text).toMatch(/^tms_shards_held 2[12]$/m);
    await third.stop();
    expect(await run('SELECT worker_id FROM worker_leases')).toHaveLength(2);
    await expectParts([first, second], [32, 32]);
  });

  it('evenly also when many start at the same time', async () => {
    const workers = await Promise.all(Array.from({ length: 5 }, () => startWorker()));
    await expectParts(workers, [12, 13, 13, 13, 13]);
  });

  it('of a killed worker, and send the waiting messages of its numbers', async () => {
    const left = await startWorker();
    const killed = await startWorkerProcess();
    await eventually(() => expect(leasesOf(left).held).toHaveLength(32));
    const { numbers, queue } = await addNumbers(service, Array<number>(SHARDS).fill(80));
    const number = numbers.find(({ id }) => !leasesOf(left).holds(id))!;
    await killed.kill();
    await queue(number.id, 5);
    await expectEachSentOnce(number, 5);
    await expectParts([left], [64]);
  });
});

describe('A worker', () => {
  it('that cannot renew its lease holds nothing and is not ready, until it can renew it', async () => {
    const proxy = await BreakableProxy.before(service.config.DATABASE_URL as string);
    ends.push(() => proxy.break());
    const config: TestService['config'] = { ...service.config, DATABASE_URL: proxy.url };
    const cut = await startWorker({ ...service, config });
    const other = await startWorker();
    await expectParts([cut, other], [32, 32]);
    await proxy.break();
    await eventually(() => expect(leasesOf(cut).held).toEqual([]));
    const { status, body } = await cut.api.get('/health/ready');
    expect([status, body.error?.details[0].late]).toEqual([
      503,
      expect.arrayContaining(['renewing its shards']),
    ]);
    await expectParts([other], [64]);
    await proxy.mend();
    await expectParts([cut, other], [32, 32]);
  });

  it('is woken by notifications of its own numbers and of no others', async () => {
    const two = await startTwo();
    const dispatched = two.map(({ worker }) =>
      jest.spyOn(worker.app.get(Notifications, { strict: false }) as any, 'dispatch'),
    );
    const ids = two.map(({ number }) => number.id);
    for (const id of [ids[0], ids[1], ids[1]])
      await run(`SELECT pg_notify('message_due_' || $1::integer % 64, $1::text)`, [id]);
    // Told to both behind these.
    await run(`SELECT pg_notify('changed', 'test')`);
    const heardBy = (i: number) => dispatched[i]!.mock.calls as [string, string][];
    for (const i of [0, 1]) await eventually(() => expect(heardBy(i).at(-1)?.[0]).toBe('changed'));
    const told = [0, 1].map((i) => heardBy(i).filter(([channel]) => channel.startsWith('message_due')));
    expect(told).toEqual([
      [[`message_due_${shardOf(ids[0]!)}`, String(ids[0])]],
      Array.from({ length: 2 }, () => [`message_due_${shardOf(ids[1]!)}`, String(ids[1])]),
    ]);
  });

  it('passes on a wake-up for a number of another worker', async () => {
    const [first, second] = await startTwo();
    await first!.queue(first!.number.id, 3);
    await second!.worker.app.get(DueWatchService, { strict: false }).tell(first!.number.id);
    await expectEachSentOnce(first!.number, 3);
  });

  it('that has no room gives permits for its numbers to workers that have room', async () => {
    const [full, free] = await startTwo();
    const inFlight = full!.worker.app.get(InFlight, { strict: false });
    for (let other = -1; inFlight.roomFor(full!.number.id) > 0; other -= 1)
      inFlight.enter(other, Number.MAX_SAFE_INTEGER);
    await full!.queue(full!.number.id, 50);
    await full!.worker.app.get(DueWatchService, { strict: false }).tell(full!.number.id);
    await expectEachSentOnce(full!.number, 50);
    const metrics = (await free!.worker.api.get('/metrics')).text;
    expect(metrics).toMatch(/^tms_delivery_outcomes_total\{outcome="sent".*\} 50$/m);
  });
});

describe('Two dispatchers of one number send nothing twice', () => {
  const COUNT = 400;

  it('while both hold its shard', async () => {
    const two = await startTwo();
    for (const { worker } of two) {
      const leases = leasesOf(worker);
      await leases['renewals'].stop();
      Object.assign(leases, { kept: new Set(ALL), leasedUntil: Infinity });
    }
    const { number, queue } = two[0]!;
    await queue(number.id, COUNT);
    for (const { worker } of two) await worker.app.get(DueWatchService, { strict: false }).tell(number.id);
    await expectEachSentOnce(number, COUNT);
  });

  it('after one stood still, lost its shards and goes on', async () => {
    const other = await startWorker();
    const paused = await startWorkerProcess();
    await eventually(() => expect(leasesOf(other).held).toHaveLength(32));
    const { numbers, queue } = await addNumbers(service, Array<number>(SHARDS).fill(80));
    const number = numbers.find(({ id }) => !leasesOf(other).holds(id))!;
    await queue(number.id, COUNT);
    await eventually(() => expect(taken(number).length).toBeGreaterThan(20));
    paused.pause();
    await expectParts([other], [64]);
    const before = taken(number).length;
    await eventually(() => expect(taken(number).length).toBeGreaterThan(before));
    paused.resume();
    await expectEachSentOnce(number, COUNT);
    await eventually(() => expect(leasesOf(other).held).toHaveLength(32));
  });
});
