import type { Clock } from './clock.js';

/**
 * Measures the time since it was made by two clocks, and takes the longer result: the wall clock may be set back, and
 * the monotonic clock stands still while the machine sleeps.
 */
export class Stopwatch {
  /** By the service's clock, in Unix milliseconds. */
  readonly startedAt: number;
  private readonly start = performance.now();

  constructor(private readonly clock: Clock) {
    this.startedAt = clock.now().getTime();
  }

  /** Milliseconds since it was made. */
  get age(): number {
    return Math.max(performance.now() - this.start, this.clock.now().getTime() - this.startedAt);
  }
}
