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

it('and what there is not is none for those who had asked, whatever was forgotten meanwhile', async () => {
  const reads: ((word: null) => void)[] = [];
  const cache = caches().create<Word>('nothing', () => new Promise((resolve) => reads.push(resolve)));
  const asked = [cache.get('a'), cache.get('a')];
  await caches().changed('nothing');
  reads[0]?.(null);
  expect(await Promise.all(asked)).toEqual([null, null]);
});
