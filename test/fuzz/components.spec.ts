import { describe, expect, it } from '@jest/globals';
import { useTestService } from '../support/test-service.js';
import { hunt } from './hunt.js';
import { SEED } from './seed.js';
import { FUZZ_CONFIG, TARGETS } from './targets.js';
import { World } from './world.js';

const service = useTestService(FUZZ_CONFIG);

describe('Random components of a send', () => {
  it('are judged alike by acceptance and the sandbox', async () => {
    const { few, property } = TARGETS.components;
    const { finding } = await hunt('components', property(), { seed: SEED, runs: few });
    expect(finding).toBeNull();
  });

  it('that are accepted are sent', async () => {
    const { few, property } = TARGETS['components-http'];
    const { finding } = await hunt('components-http', property(new World(service())), {
      seed: SEED,
      runs: few,
    });
    expect(finding).toBeNull();
  });
});
