import { expect, it } from '@jest/globals';
import { SharedCaches } from '../../src/database/shared-cache.js';
import { useTestService } from '../support/test-service.js';

interface Word {
  text: string;
}

const service = useTestService();

const caches = () => service().app.get(SharedCaches, { strict: false });

it('what was being read when it changed is given to those who asked, and read again for the next', async () => {
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

it('so is what was being read when all was forgotten', async () => {
  const reads: ((word: Word) => void)[] = [];
  const cache = caches().create<Word>('sentences', () => new Promise((resolve) => reads.push(resolve)));
  const asked = cache.get('a');
  await caches().changed('sentences');
  reads[0]?.({ text: 'before' });
  expect(await asked).toEqual({ text: 'before' });
});

it('who asked for what there is not gets none, whatever is forgotten while it is being read', async () => {
  const reads: ((word: null) => void)[] = [];
  const cache = caches().create<Word>('nothing', () => new Promise((resolve) => reads.push(resolve)));
  const asked = [cache.get('a'), cache.get('a')];
  await caches().changed('nothing');
  reads[0]?.(null);
  expect(await Promise.all(asked)).toEqual([null, null]);
});

it('what there is not is read for each who asks, unless the cache is told to remember it', async () => {
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

it('what there was not is read again once it is there', async () => {
  let word: Word | null = null;
  const cache = caches().create('words of late', async () => word, { absent: 10 });
  expect(await cache.get('a')).toBeNull();
  word = { text: 'there' };
  await caches().changed('words of late', 'a');
  expect(await cache.get('a')).toEqual({ text: 'there' });
});

it('so is what was added while it was being looked for', async () => {
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
