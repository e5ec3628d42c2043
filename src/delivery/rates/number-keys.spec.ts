import { describe, expect, it } from '@jest/globals';
import type { RedisClient } from '../../database/redis-client.js';
import { slotOf } from '../../database/cluster-slots.js';
import { numberKey, pairKey } from './number-keys.js';

const CLUSTER = { isCluster: true } as RedisClient;
const SERVER = { isCluster: false } as RedisClient;

describe('The keys of numbers', () => {
  it('are in one slot of a cluster for each number', () => {
    for (let id = 1; id <= 100; id += 1)
      expect(slotOf(pairKey(CLUSTER, id, '12025550100'))).toBe(slotOf(numberKey(CLUSTER, id)));
  });

  it('are spread over all slots of a cluster for numbers in a row', () => {
    const thirds = Array.from({ length: 300 }, (_, i) =>
      Math.floor(slotOf(numberKey(CLUSTER, i + 1)) / (16_384 / 3)),
    );
    for (const third of [0, 1, 2]) expect(thirds.filter((one) => one === third).length).toBeGreaterThan(70);
  });

  it('elsewhere have the names by which former versions know them', () => {
    expect(numberKey(SERVER, 7)).toBe('{tms}:rate:7');
    expect(pairKey(SERVER, 7, '12025550100')).toBe('{tms}:pair:7:12025550100');
  });
});
