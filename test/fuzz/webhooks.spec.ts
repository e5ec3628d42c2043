import { describe, expect, it } from '@jest/globals';
import { useTestService } from '../support/test-service.js';
import { imbalances } from './balance.js';
import { hunt } from './hunt.js';
import { SEED } from './seed.js';
import { FUZZ_CONFIG, TARGETS } from './targets.js';
import { World } from './world.js';

const service = useTestService(FUZZ_CONFIG);

describe('Random webhooks', () => {
  it('are refused or applied, so that none waits for ever and none fails', async () => {
    const world = new World(service());
    const { few, property, furnish } = TARGETS.webhooks;
    await furnish(world);
    const { finding } = await hunt('webhooks', property(world), { seed: SEED, runs: few });
    expect(finding).toBeNull();
    expect(await imbalances(world)).toEqual([]);
  });
});
