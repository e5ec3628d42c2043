import { describe, expect, it } from '@jest/globals';
import { Repeated } from './repeated.js';

/** Work that goes on until it is told to end. */
class Work {
  begun = 0;
  readonly ends: ((fault?: Error) => void)[] = [];
  readonly run = () =>
    new Promise<void>((resolve, reject) => {
      this.begun += 1;
      this.ends.push((fault) => (fault ? reject(fault) : resolve()));
    });
}

const HOUR = 3_600_000;

describe('Repeated work', () => {
  it('runs once at a time', async () => {
    const work = new Work();
    const repeated = new Repeated(HOUR, work.run, () => undefined);
    repeated.run();
    repeated.run();
    expect(work.begun).toBe(1);
    work.ends[0]?.();
    await repeated.stop();
    repeated.run();
    expect(work.begun).toBe(2);
  });

  it('reports a fault and goes on', async () => {
    const work = new Work();
    const faults: string[] = [];
    const repeated = new Repeated(HOUR, work.run, ({ message }) => faults.push(message));
    repeated.run();
    work.ends[0]?.(new Error('out'));
    await repeated.stop();
    repeated.run();
    expect({ faults, begun: work.begun }).toEqual({ faults: ['out'], begun: 2 });
  });

  it('begins after its interval, and its stop waits for the run under way', async () => {
    const work = new Work();
    const repeated = new Repeated(1, work.run, () => undefined);
    await new Promise<void>((begun) => {
      const { run } = work;
      Object.assign(repeated, { work: () => (begun(), run()) });
      repeated.start();
    });
    let stopped = false;
    const stopping = repeated.stop().then(() => (stopped = true));
    await Promise.resolve();
    expect(stopped).toBe(false);
    work.ends[0]?.();
    await stopping;
    expect(work.begun).toBe(1);
  });
});
