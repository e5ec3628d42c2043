import { describe, expect, it } from '@jest/globals';
import { useTestService } from '../support/test-service.js';
import { hunt } from './hunt.js';
import { SEED } from './seed.js';
import { FUZZ_CONFIG, TARGETS } from './targets.js';
import { World } from './world.js';

const service = useTestService(FUZZ_CONFIG);

describe('A connection', () => {
  it.each([
    ['over which a request comes in pieces gets the answer', 'http-split'],
    ['over which several requests come at once gets their answers in order', 'http-pipeline'],
    ['over which anything comes is answered in the envelope or closed', 'http-harm'],
  ] as const)('%s', async (_what, name) => {
    const { few, property } = TARGETS[name];
    const { finding } = await hunt(name, property(new World(service())), { seed: SEED, runs: few });
    expect(finding).toBeNull();
  });
});
