import { expect, it } from '@jest/globals';
import { syncBackoff } from './sync-backoff.js';

it.each([
  [1, 1],
  [2, 2],
  [3, 4],
  [9, 256],
  [10, 360],
  [5_000, 360],
])('After %i failed syncs in a row an account is synced again in %i minutes', (failures, minutes) => {
  expect(syncBackoff(failures)).toBe(minutes * 60_000);
});
