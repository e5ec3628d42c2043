import { describe, expect, it } from '@jest/globals';
import { Turns } from './turns.js';

const HOUR = 3_600_000;
const turns = () => new Turns({ atOnce: 2, late: () => new Error('it took too long') });

/** Work that goes on until it is told to end. */
function work() {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const begun: string[] = [];
  const run = (name: string) => async () => {
    begun.push(name);
    await ended;
  };
  return { run, begun, end: () => end() };
}

const aTurnOfTheLoop = () => new Promise((resolve) => setImmediate(resolve));

describe('Turns', () => {
  it('let two works of one key run at the same time, and the others after them in order', async () => {
    const line = turns();
    const first = work();
    const second = work();
    const running = [
      line.run('key', HOUR, first.run('a')),
      line.run('key', HOUR, first.run('b')),
      line.run('key', HOUR, second.run('c')),
      line.run('key', HOUR, second.run('d')),
      line.run('key', HOUR, second.run('e')),
    ];
    await aTurnOfTheLoop();
    expect([...first.begun, ...second.begun]).toEqual(['a', 'b']);
    first.end();
    await aTurnOfTheLoop();
    expect(second.begun).toEqual(['c', 'd']);
    second.end();
    await Promise.all(running);
    expect(second.begun).toEqual(['c', 'd', 'e']);
  });

  it('keep nobody waiting for the work of another key', async () => {
    const line = turns();
    const slow = work();
    const running = ['a', 'b'].map((name) => line.run('key', HOUR, slow.run(name)));
    expect(line.isFull('key')).toBe(true);
    expect(line.isFull('other')).toBe(false);
    expect(await line.run('other', HOUR, async () => 1)).toBe(1);
    slow.end();
    await Promise.all(running);
  });

  it('refuse only work that has waited for too long', async () => {
    const line = turns();
    const slow = work();
    const running = ['a', 'b'].map((name) => line.run('key', HOUR, slow.run(name)));
    await expect(line.run('key', 10, async () => 1)).rejects.toThrow('it took too long');
    slow.end();
    await Promise.all(running);
    expect(await line.run('key', HOUR, async () => 1)).toBe(1);
  });

  it('refuse work at once when it may not wait', async () => {
    const line = turns();
    const slow = work();
    const running = ['a', 'b'].map((name) => line.run('key', 0, slow.run(name)));
    await expect(line.run('key', 0, async () => 1)).rejects.toThrow('it took too long');
    slow.end();
    await Promise.all(running);
    expect(await line.run('key', 0, async () => 1)).toBe(1);
  });

  it('are given back by work that fails', async () => {
    const line = turns();
    const fail = async () => Promise.reject(new Error('no'));
    await Promise.allSettled([
      line.run('key', HOUR, fail),
      line.run('key', HOUR, fail),
      line.run('key', HOUR, fail),
    ]);
    expect(line.isFull('key')).toBe(false);
  });
});
