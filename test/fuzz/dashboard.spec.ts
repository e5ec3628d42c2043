import { describe, expect, it } from '@jest/globals';
import { useTestService } from '../support/test-service.js';
import { imbalances } from './balance.js';
import { dashboardRoutes, servedRoutes } from './dashboard-routes.js';
import { hunt } from './hunt.js';
import { SEED } from './seed.js';
import { FUZZ_CONFIG, TARGETS } from './targets.js';
import { World } from './world.js';

const service = useTestService(FUZZ_CONFIG);

describe('Random requests to the dashboard’s API', () => {
  it('go to every route of it', () => {
    const named = dashboardRoutes(service()).map(({ method, path }) => `${method} ${path}`);
    expect(named.toSorted()).toEqual(servedRoutes(service()).toSorted());
    expect(named.length).toBeGreaterThan(40);
  });

  it('are answered in the envelope, with a known code, and give data only to users with the right', async () => {
    const world = new World(service());
    const { few, property, furnish } = TARGETS.dashboard;
    await furnish(world);
    const { finding } = await hunt('dashboard', property(world), { seed: SEED, runs: few });
    expect(finding).toBeNull();
    expect(await imbalances(world)).toEqual([]);
  });
});
