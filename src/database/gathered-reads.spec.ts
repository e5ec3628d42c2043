import { describe, expect, it } from '@jest/globals';
import { eventually } from '../../test/support/eventually.js';
import { gatheredReads } from './gathered-reads.js';

describe('Look-ups that are gathered', () => {
  const asked: string[][] = [];
  const find = gatheredReads(
    async (keys: string[]) => {
      asked.push(keys);
      if (keys.includes('broken')) throw new Error('cannot be looked for');
      return keys.filter((key) => key !== 'absent').map((key) => ({ key }));
    },
    (row, key) => row.key === key,
  );

  it('share a statement where they are asked for together, and each gets its own row, or null', async () => {
    asked.length = 0;
    expect(await Promise.all(['a', 'absent', 'b'].map(find))).toEqual([{ key: 'a' }, null, { key: 'b' }]);
    expect(asked).toEqual([['a', 'absent', 'b']]);
  });

  it('fail one by one', async () => {
    const results = await Promise.allSettled(['a', 'broken', 'b'].map(find));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('are repeated once where the server has ended their connection, as that of another behind a pooler', async () => {
    const ended = () => Object.assign(new Error('terminating connection'), { code: '57P01' });
    let fails = 1;
    const cut = gatheredReads(
      async (keys: string[]) => {
        if ((fails -= 1) >= 0) throw ended();
        return keys;
      },
      (row, key) => row === key,
    );
    expect(await Promise.all(['a', 'b'].map(cut))).toEqual(['a', 'b']);
    fails = 2;
    await expect(cut('a')).rejects.toThrow('terminating connection');
  });

  it('are refused behind one that takes too long, so that nobody waits for many of them in turn', async () => {
    const ends: (() => void)[] = [];
    const slow = gatheredReads(
      async (keys: number[]) => {
        if (ends.length < 2) await new Promise<void>((resolve) => ends.push(resolve));
        return keys;
      },
      (row, key) => row === key,
    );
    const all = Array.from({ length: 300 }, (_, i) => slow(i));
    const start = performance.now();
    await eventually(() => expect(performance.now() - start).toBeGreaterThan(2_100));
    for (const end of ends) end();
    const results = await Promise.allSettled(all);
    expect(results.slice(0, 200).map(({ status }) => status)).not.toContain('rejected');
    expect(results.slice(200).map(({ status }) => status)).not.toContain('fulfilled');
    expect(await slow(1)).toBe(1);
  });

  it('are as many as there may be in one statement, at most', async () => {
    asked.length = 0;
    const keys = Array.from({ length: 250 }, (_, i) => String(i));
    expect(await Promise.all(keys.map(find))).toEqual(keys.map((key) => ({ key })));
    expect(asked.map((each) => each.length)).toEqual([100, 100, 50]);
  });
});
