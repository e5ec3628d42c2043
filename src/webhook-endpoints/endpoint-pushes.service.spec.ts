import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../test/support/eventually.js';
import { Heartbeats } from '../common/heartbeat.js';
import type { EventHorizon } from '../events/event-horizon.service.js';
import type { EventNews } from '../events/event-news.service.js';
import type { EndpointPump } from './endpoint-pump.service.js';
import type { EndpointPushStore, LeasedEndpoint } from './endpoint-push.store.js';
import { EndpointPushesService } from './endpoint-pushes.service.js';

interface Run {
  id: string;
  lease: string;
  signal: AbortSignal;
  finish(): void;
}

/** What is there to lease. */
let due: LeasedEndpoint[];
/** The tenants with news, for each look for endpoints. */
let asked: string[][];
/** The tenants whose endpoints were made due, each time; undefined for all. */
let woken: (readonly string[] | undefined)[];
let runs: Run[];
let position: number;
/** After which positions news were looked for. */
let walked: number[];
/** The positions that were there at each look for news. */
let looks: number[];
let pushes: EndpointPushesService;

beforeEach(() => {
  due = [];
  asked = [];
  woken = [];
  runs = [];
  position = 100;
  walked = [];
  looks = [];
  const store: Partial<EndpointPushStore> = {
    lease: async (tenants, most, which) => {
      asked.push([...tenants]);
      const fit = due.filter((one) => which === 'any' || one.failures === 0).slice(0, most);
      due = due.filter((one) => !fit.includes(one));
      return { endpoints: fit, hasAny: true };
    },
    lost: async () => [],
    wake: async (tenants) => void woken.push(tenants),
  };
  const pump: Partial<EndpointPump> = {
    run: ({ id, lease }, signal) =>
      new Promise((resolve) => void runs.push({ id, lease, signal, finish: () => resolve(false) })),
  };
  const horizon: Partial<EventHorizon> = {
    look: async () => looks.push(position),
    get position() {
      return position;
    },
  };
  const news: Partial<EventNews> = {
    tenantsBetween: async (after) => {
      walked.push(after);
      return new Set(['tenant']);
    },
  };
  pushes = new EndpointPushesService(
    store as EndpointPushStore,
    pump as EndpointPump,
    horizon as EventHorizon,
    news as EventNews,
    new Heartbeats(),
  );
});

afterEach(async () => {
  for (const { finish } of runs) finish();
  await pushes.beforeApplicationShutdown();
});

const endpoint = (id: string, lease: string, failures = 0) =>
  ({ id, lease, failures, tenant_id: 'tenant' }) as unknown as LeasedEndpoint;

describe('An endpoint that is leased anew while it is posted to', () => {
  beforeEach(() => pushes.onApplicationBootstrap());

  const become = (lease: string) => due.push(endpoint('endpoint', lease));

  const untilRuns = (...leases: string[]) =>
    eventually(() => expect(runs.map(({ lease }) => lease)).toEqual(leases));

  it('has its former run ended, and is posted to when that has ended', async () => {
    become('first');
    await untilRuns('first');
    become('second');
    await eventually(() => expect(runs[0]?.signal.aborted).toBe(true));
    expect(runs).toHaveLength(1);
    runs[0]?.finish();
    await untilRuns('first', 'second');
    expect(runs[1]?.signal.aborted).toBe(false);
  });

  it('is looked at again for what came after its former run had ended', async () => {
    become('first');
    await untilRuns('first');
    become('second');
    await eventually(() => expect(due).toEqual([]));
    runs[0]?.finish();
    await untilRuns('first', 'second');
    position += 1;
    await eventually(() => expect(asked).toContainEqual(['tenant']));
    asked.length = 0;
    runs[1]?.finish();
    await eventually(() => expect(asked).toContainEqual(['tenant']), { patience: 5_000 });
  });
});

describe('News', () => {
  const untilWoken = (times: number) => eventually(() => expect(woken).toHaveLength(times));

  beforeEach(async () => {
    pushes.onApplicationBootstrap();
    due.push(endpoint('endpoint', 'first'));
    await untilWoken(1);
  });

  it('of before the first look reach an endpoint that was leased before it', async () => {
    expect(runs).toHaveLength(1);
    asked.length = 0;
    runs[0]?.finish();
    await eventually(() => expect(asked).toContainEqual(['tenant']));
    expect(walked).toEqual([]);
  });

  it('are told to all when the stream has gone back, without reading it from its beginning', async () => {
    position = 60;
    await untilWoken(2);
    position += 1;
    await eventually(() => expect(walked).toEqual([60]));
  });

  it('wait until it is known where a stream ends that has gone back', async () => {
    position = 0;
    const { length } = looks;
    await eventually(() => expect(looks.length).toBeGreaterThan(length + 1));
    position = 60;
    await untilWoken(2);
    position += 1;
    await eventually(() => expect(walked).toEqual([60]));
  });
});

describe('More endpoints than a process posts to at once', () => {
  const PLACES = 500;
  const FOR_SLOW = 400;
  /** Endpoints that fail. */
  const slow = (count: number) =>
    Array.from({ length: count }, (_, i) => endpoint(`slow ${i}`, `lease of slow ${i}`, 1));
  const quick = (name: string) => endpoint(name, `lease of ${name}`);
  const untilRuns = (count: number) => eventually(() => expect(runs).toHaveLength(count));
  const names = () => runs.map(({ id }) => id);

  beforeEach(() => pushes.onApplicationBootstrap());

  it('leave places to quick ones while the slow wait', async () => {
    due = slow(PLACES);
    await untilRuns(FOR_SLOW);
    due.push(quick('quick'));
    await untilRuns(FOR_SLOW + 1);
    expect(names()).toContain('quick');
  });

  it('get a place as soon as one is free, without waiting for a clock', async () => {
    due = slow(PLACES);
    await untilRuns(FOR_SLOW);
    // By the clock alone it would take minutes.
    for (let i = 0; i < PLACES - FOR_SLOW; i += 1) {
      runs[i]?.finish();
      await untilRuns(FOR_SLOW + 1 + i);
    }
    expect(new Set(names()).size).toBe(PLACES);
  });

  it('are due when they have news while no place is free for them', async () => {
    due = slow(PLACES);
    await untilRuns(FOR_SLOW);
    await eventually(() => {
      position += 1;
      expect(woken).toContainEqual(['tenant']);
    });
  });
});
