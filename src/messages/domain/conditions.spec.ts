import { describe, expect, it } from '@jest/globals';
import { costFault, keptMaxCost } from './conditions.js';

describe('A max_cost', () => {
  it.each<[number | string, string]>([
    [0, '0.000000'],
    [-0, '0.000000'],
    [0.01, '0.010000'],
    [3 * 0.0013, '0.003900'],
    [0.0052875, '0.005287'],
    [1e-7, '0.000000'],
    [Number.MIN_VALUE, '0.000000'],
    [123_456_789, '99999999.999999'],
    [Number.MAX_VALUE, '99999999.999999'],
    ['0.5', '0.500000'],
    ['99999999.9999999', '99999999.999999'],
    ['9'.repeat(64), '99999999.999999'],
    [`0.${'9'.repeat(64)}`, '0.999999'],
  ])('%s is kept rounded down, as %s', (maxCost, kept) => {
    expect(keptMaxCost(maxCost)).toBe(kept);
  });

  it.each<[string, number | string]>([
    ['0.003900', 0.0039000000000000003],
    ['0.003901', 0.0039000000000000003],
    ['0.005287', 0.0052875],
    ['0.005288', 0.0052875],
    ['0.000000', 1e-7],
    ['0.000001', 1e-7],
    ['99999999.999999', '99999999.99999999'],
  ])('decides of a price of %s the same as %s and as it is kept', (cost, maxCost) => {
    const isAbove = (most: number | string) => costFault(most, { cost, currency: 'USD' }) !== null;
    expect(isAbove(keptMaxCost(maxCost))).toBe(isAbove(maxCost));
    expect(isAbove(maxCost)).toBe(Number(cost) > Number(maxCost));
  });
});
