import { beforeEach, describe, expect, it } from '@jest/globals';
import { RowCache, SharedCaches } from '../../src/database/shared-cache.js';
import { eventually } from '../support/eventually.js';
import { useTestService } from '../support/test-service.js';

interface Word {
  text: string;
}

const service = useTestService();

const caches = () => service().app.get(SharedCaches, { strict: false });

it('A cache returns the value that was being read when it changed, and reads again for the next caller', async () => {
  const reads: ((word: Word) => void)[] = [];
  const cache = caches().create<Word>('words', () => new Promise((resolve) => reads.push(resolve)));
  const asked = cache.get('a');
  await caches().changed('words', 'a');
  reads[0]?.({ text: 'before' });
  expect(await asked).toEqual({ text: 'before' });

  const askedAgain = cache.get('a');
  reads[1]?.({ text: 'after' });
  expect(await askedAgain).toEqual({ text: 'after' });
  expect(await cache.get('a')).toEqual({ text: 'after' });
});

it('A cache returns the value that was being read when the cache was cleared', async () => {
  const reads: ((word: Word) => void)[] = [];
  const cache = caches().create<Word>('sentences', () => new Promise((resolve) => reads.push(resolve)));
  const asked = cache.get('a');
  await caches().changed('sentences');
  reads[0]?.({ text: 'before' });
  expect(await asked).toEqual({ text: 'before' });
});

it('A cache returns null for a missing key, although the cache is cleared during the read', async () => {
  const reads: ((word: null) => void)[] = [];
  const cache = caches().create<Word>('nothing', () => new Promise((resolve) => reads.push(resolve)));
  const asked = [cache.get('a'), cache.get('a')];
  await caches().changed('nothing');
  reads[0]?.(null);
  expect(await Promise.all(asked)).toEqual([null, null]);
});

it('A cache reads a missing key again for each caller, unless it is made to remember missing keys', async () => {
  const reads: string[] = [];
  const read = (name: string) => async () => {
    reads.push(name);
    return null;
  };
  const forgetful = caches().create('forgetful', read('forgetful'));
  const mindful = caches().create('mindful', read('mindful'), { absent: 10 });
  for (let i = 0; i < 3; i += 1) for (const cache of [forgetful, mindful]) await cache.get('a');
  expect(reads.toSorted()).toEqual(['forgetful', 'forgetful', 'forgetful', 'mindful']);
});

it('A cache forgets that a key was missing when the key is added', async () => {
  let word: Word | null = null;
  const cache = caches().create('words of late', async () => word, { absent: 10 });
  expect(await cache.get('a')).toBeNull();
  word = { text: 'there' };
  await caches().changed('words of late', 'a');
  expect(await cache.get('a')).toEqual({ text: 'there' });
});

it('A cache forgets that a key was missing when the key was added during the read', async () => {
  const reads: ((word: Word | null) => void)[] = [];
  const cache = caches().create<Word>('added', () => new Promise((resolve) => reads.push(resolve)), {
    absent: 10,
  });
  const asked = cache.get('a');
  await caches().changed('added', 'a');
  reads[0]?.(null);
  expect(await asked).toBeNull();
  const askedAgain = cache.get('a');
  reads[1]?.({ text: 'there' });
  expect(await askedAgain).toEqual({ text: 'there' });
});

it('A cache lets go of rows that are too old to be used, though nobody asks for them', async () => {
  const cache = caches().create<Word>('seldom', async (text) => ({ text }), { absent: 10 });
  const before = caches().size;
  for (let i = 0; i < 1_000; i += 1) await cache.get(String(i));
  expect(caches().size).toBeGreaterThanOrEqual(before + 1_000);
  await eventually(() => expect(caches().size).toBeLessThan(1_000));
});

describe('A cache that renews its rows', () => {
  let reads: { key: string; previous: Word | null | undefined; answer: (word: Word | null) => void }[];
  let cache: RowCache<Word>;

  beforeEach(() => {
    reads = [];
    cache = new RowCache<Word>(
      (key, previous) => new Promise((answer) => reads.push({ key, previous, answer })),
      { absent: 10, renews: true },
    );
  });

  /** Asks for a word, which is read and found, and then for what is remembered of it. */
  async function use(key: string, word: Word | null): Promise<void> {
    const asked = cache.get(key);
    reads.at(-1)?.answer(word);
    expect(await asked).toBe(word);
    expect(await cache.get(key)).toBe(word);
  }

  /** As when time has passed: all that was read until now is old. */
  const renew = () => cache.renew(Infinity);

  const before = { text: 'before' };
  const after = { text: 'after' };

  it('reads what is in use anew, and answers with the old row meanwhile', async () => {
    await use('a', before);
    renew();
    expect(reads.map(({ previous }) => previous)).toEqual([undefined, before]);
    expect(await cache.get('a')).toBe(before);
    reads[1]?.answer(after);
    await eventually(async () => expect(await cache.get('a')).toBe(after));
    expect(reads).toHaveLength(2);
  });

  it('does not renew a row that nobody has asked for again', async () => {
    const asked = cache.get('seldom');
    reads[0]?.answer(before);
    await asked;
    await use('often', before);
    renew();
    expect(reads.map(({ key }) => key)).toEqual(['seldom', 'often', 'often']);
  });

  it('does not renew a row that was read a moment ago', async () => {
    await use('a', before);
    cache.renew(-Infinity);
    expect(reads).toHaveLength(1);
  });

  it('finds a row that was missing, and that a row is gone', async () => {
    await use('missing', null);
    await use('gone', before);
    renew();
    reads[2]?.answer(after);
    reads[3]?.answer(null);
    await eventually(async () => expect(await cache.get('missing')).toBe(after));
    await eventually(async () => expect(await cache.get('gone')).toBeNull());
  });

  it('does not keep a row that was forgotten while it was being renewed', async () => {
    await use('a', before);
    renew();
    cache.forget('a');
    reads[1]?.answer(before);
    const asked = cache.get('a');
    reads[2]?.answer(after);
    expect(await asked).toBe(after);
    expect(await cache.get('a')).toBe(after);
  });

  it('keeps the row for its time where it cannot be read anew', async () => {
    let fails = false;
    const failing = new RowCache<Word>(
      async () => {
        if (fails) throw new Error('The database is away');
        return before;
      },
      { renews: true },
    );
    await failing.get('a');
    await failing.get('a');
    fails = true;
    failing.renew(Infinity);
    expect(await failing.get('a')).toBe(before);
  });
});
