import { expect, it } from '@jest/globals';
import { SharedCaches } from '../../src/database/shared-cache.js';
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
