import { describe, expect, it } from '@jest/globals';
import { isolate } from './isolate.js';

const BAD = new Error('bad');
const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);

/** Runs work that fails for the `bad` numbers; tells for which numbers it was done, and how often it was tried. */
async function isolated(count: number, bad: (number: number) => boolean, most = 100) {
  const done: number[] = [];
  let attempts = 0;
  const work = async (part: number[]) => {
    attempts += 1;
    if (part.some(bad)) throw BAD;
    done.push(...part);
  };
  const faults = await isolate(numbers(count), work, { isFault: (error) => error === BAD, most });
  return {
    done,
    attempts,
    failed: faults.map(({ item }) => item),
    errors: new Set(faults.map(({ error }) => error)),
  };
}

describe('Work that fails for some items', () => {
  it.each<[string, number, (number: number) => boolean]>([
    ['none', 10, () => false],
    ['the first', 7, (number) => number === 0],
    ['the last', 8, (number) => number === 7],
    ['some', 1_000, (number) => number % 333 === 1],
    ['all', 5, () => true],
    ['the only one', 1, () => true],
  ])('is done for the others, once and in their order: %s', async (_which, count, bad) => {
    const { done, failed, errors } = await isolated(count, bad);
    expect(done).toEqual(numbers(count).filter((number) => !bad(number)));
    expect(failed).toEqual(numbers(count).filter(bad));
    expect(errors).toEqual(new Set(failed.length > 0 ? [BAD] : []));
  });

  it('is tried some twenty times when one in a thousand is at fault', async () => {
    expect((await isolated(1_000, (number) => number === 700)).attempts).toBeLessThanOrEqual(21);
  });

  it('is given up for the rest after too many failures', async () => {
    const { done, failed, attempts } = await isolated(1_000, (number) => number % 2 === 0, 10);
    expect(attempts).toBeLessThan(100);
    expect(done.length + failed.length).toBe(1_000);
    expect(done.every((number) => number % 2 === 1)).toBe(true);
  });

  it('is not tried without items, and passes on an error that no item caused', async () => {
    expect((await isolated(0, () => true)).attempts).toBe(0);
    const other = new Error('the database is gone');
    const failing = isolate([1, 2], () => Promise.reject(other), {
      isFault: (error) => error === BAD,
      most: 9,
    });
    await expect(failing).rejects.toBe(other);
  });
});
