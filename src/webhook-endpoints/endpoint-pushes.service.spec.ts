import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../test/support/eventually.js';
import { Heartbeats } from '../common/heartbeat.js';
import type { EventHorizon } from '../events/event-horizon.service.js';
import type { EventNews } from '../events/event-news.service.js';
import type { EndpointPump } from './endpoint-pump.service.js';
import type { EndpointPushStore, LeasedEndpoint } from './endpoint-push.store.js';
import { EndpointPushesService } from './endpoint-pushes.service.js';

interface Run {
  lease: string;
  signal: AbortSignal;
  finish(): void;
}

describe('An endpoint that is leased anew while it is posted to', () => {
  /** What is there to lease. */
  let due: LeasedEndpoint[];
  /** The tenants with news, for each look for endpoints. */
  let asked: string[][];
  let runs: Run[];
  let position: number;
  let pushes: EndpointPushesService;

  beforeEach(() => {
    due = [];
    asked = [];
    runs = [];
    position = 0;
    const store: Partial<EndpointPushStore> = {
      lease: async (tenants) => {
        asked.push([...tenants]);
        return { endpoints: due.splice(0), hasAny: true };
      },
      lost: async () => [],
      wake: async () => undefined,
    };
    const pump: Partial<EndpointPump> = {
      run: ({ lease }, signal) =>
        new Promise((resolve) => void runs.push({ lease, signal, finish: () => resolve() })),
    };
    const horizon: Partial<EventHorizon> = {
      look: async () => position,
      get position() {
        return position;
      },
    };
    const news: Partial<EventNews> = { tenantsBetween: async () => new Set(['tenant']) };
    pushes = new EndpointPushesService(
      store as EndpointPushStore,
      pump as EndpointPump,
      horizon as EventHorizon,
      news as EventNews,
      new Heartbeats(),
    );
    pushes.onApplicationBootstrap();
  });

  afterEach(async () => {
    for (const { finish } of runs) finish();
    await pushes.beforeApplicationShutdown();
  });

  const become = (lease: string) =>
    due.push({ id: 'endpoint', lease, tenant_id: 'tenant' } as unknown as LeasedEndpoint);

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
