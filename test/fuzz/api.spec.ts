import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { useTestService } from '../support/test-service.js';
import { imbalances } from './balance.js';
import { hunt } from './hunt.js';
import { SEED } from './seed.js';
import { FUZZ_CONFIG, TARGETS } from './targets.js';
import { World } from './world.js';

const service = useTestService(FUZZ_CONFIG);
let world: World;
beforeAll(() => {
  world = new World(service());
});
afterAll(() => world.end());

describe('Random requests to the public API', () => {
  it('are answered as documented, and each accepted send is stored with one charge', async () => {
    const { few, property } = TARGETS.api;
    const { finding } = await hunt('api', property(world), { seed: SEED, runs: few });
    expect(finding).toBeNull();
    expect(await imbalances(world)).toEqual([]);
  });
});
