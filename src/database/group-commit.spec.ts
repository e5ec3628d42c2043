import { describe, expect, it } from '@jest/globals';
import { eventually } from '../../test/support/eventually.js';
import { NoAnswerError } from './bounded-client.js';
import { QueueFullError } from './database-errors.js';
import { GroupCommit } from './group-commit.js';

const UNAVAILABLE = Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' });
const DEADLOCK = Object.assign(new Error('deadlock detected'), { code: '40P01' });

describe('A group commit', () => {
  it('commits what arrives in one turn of the event loop together, and answers each with its own result', async () => {
    const batches: number[][] = [];
    const group = new GroupCommit<number, number>({
      maxBatch: 10,
      commit: async (items) => {
        batches.push(items);
        return items.map((item) => item * 10);
      },
    });
    expect(await Promise.all([1, 2, 3].map((item) => group.submit(item)))).toEqual([10, 20, 30]);
    expect(batches).toEqual([[1, 2, 3]]);
  });

  it('lets what arrives during a commit share the next one, no larger than the limit', async () => {
    const batches: number[][] = [];
    let finishFirst: () => void = () => undefined;
    const group = new GroupCommit<number, number>({
      maxBatch: 2,
      commit: async (items) => {
        batches.push(items);
        if (batches.length === 1) await new Promise<void>((resolve) => (finishFirst = resolve));
        return items;
      },
    });
    const first = group.submit(1);
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    const rest = [2, 3, 4].map((item) => group.submit(item));
    finishFirst();
    await Promise.all([first, ...rest]);
    expect(batches).toEqual([[1], [2, 3], [4]]);
  });

  it('fails only the item at fault', async () => {
    const group = new GroupCommit<number, number>({
      maxBatch: 10,
      commit: async (items) => {
        if (items.includes(3)) throw new Error('three is at fault');
        return items;
      },
    });
    const results = await Promise.allSettled([1, 2, 3, 4, 5].map((item) => group.submit(item)));
    expect(results.map((result) => result.status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
  });

  it('fails all items together while the database is out, without trying each alone', async () => {
    let commits = 0;
    const group = new GroupCommit<number, number>({
      maxBatch: 10,
      commit: async () => {
        commits += 1;
        throw UNAVAILABLE;
      },
    });
    const results = await Promise.allSettled([1, 2, 3].map((item) => group.submit(item)));
    expect(results.every((result) => result.status === 'rejected')).toBe(true);
    expect(commits).toBe(1);
  });

  it('tries again after a lost race', async () => {
    let commits = 0;
    const group = new GroupCommit<number, number>({
      maxBatch: 10,
      commit: async (items) => {
        commits += 1;
        if (commits === 1) throw DEADLOCK;
        return items;
      },
    });
    expect(await group.submit(1)).toBe(1);
  });

  it('tells when all that was handed in is settled', async () => {
    const settled: number[] = [];
    const group = new GroupCommit<number, number>({ maxBatch: 1, commit: async (items) => items });
    for (const item of [1, 2, 3]) void group.submit(item).then(() => settled.push(item));
    await group.drained();
    expect(settled).toEqual([1, 2, 3]);
    await group.drained();
  });

  it('refuses what waits behind a commit that takes too long, and accepts what comes after it', async () => {
    let finishFirst: () => void = () => undefined;
    const batches: number[][] = [];
    const group = new GroupCommit<number, number>({
      maxBatch: 10,
      patience: 5,
      commit: async (items) => {
        batches.push(items);
        if (batches.length === 1) await new Promise<void>((resolve) => (finishFirst = resolve));
        return items;
      },
    });
    const first = group.submit(1);
    const start = performance.now();
    await eventually(() => expect(performance.now() - start).toBeGreaterThan(10));
    const behind = group.submit(2);
    finishFirst();
    expect(await first).toBe(1);
    await expect(behind).rejects.toThrow(NoAnswerError);
    expect(await group.submit(3)).toBe(3);
    expect(batches).toEqual([[1], [3]]);
  });

  it('refuses what comes while too much waits, and accepts more after the next commit', async () => {
    let finishFirst: () => void = () => undefined;
    const committed: string[] = [];
    const group = new GroupCommit<string, string>({
      maxBatch: 10,
      mostWaiting: 10,
      weightOf: (item) => item.length,
      commit: async (items) => {
        if (committed.length === 0) await new Promise<void>((resolve) => (finishFirst = resolve));
        committed.push(...items);
        return items;
      },
    });
    const first = group.submit('longer than all that may wait');
    await new Promise(setImmediate);
    const waiting = [group.submit('12345'), group.submit('67890')];
    await expect(group.submit('1')).rejects.toThrow(QueueFullError);
    finishFirst();
    await Promise.all([first, ...waiting]);
    expect(await group.submit('1234567890')).toBe('1234567890');
    expect(committed).toEqual(['longer than all that may wait', '12345', '67890', '1234567890']);
  });

  it('accepts everything where it has no bound: outcomes must not be lost', async () => {
    const group = new GroupCommit<number, number>({ maxBatch: 1_000, commit: async (items) => items });
    const results = await Promise.all(Array.from({ length: 50_000 }, (_, i) => group.submit(i)));
    expect(results).toHaveLength(50_000);
  });
});
