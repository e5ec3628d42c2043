/** How much may be under way in a process that has just started. */
const FIRST = 32;

/**
 * Counts the work under way in this process, for each number: bounds it, and waits for its end when the process
 * stops. A number may have as much under way as is still free, so that one whose provider hangs takes half of the
 * room, two take a third each, and some always remains for the others.
 *
 * The bound begins low and grows by each piece of work that is done, up to the limit: a process that has just started
 * is slow, opens its connections, and what it claimed too early would reach the provider all at once.
 */
export class InFlight {
  private bound: number;
  private count = 0;
  private readonly counts = new Map<number, number>();
  private readonly waiters: (() => void)[] = [];
  closed = false;

  constructor(private readonly limit: number) {
    this.bound = Math.min(FIRST, limit);
  }

  /** How much is under way. */
  get size(): number {
    return this.count;
  }

  /** How much more the number may have under way. */
  roomFor(number: number): number {
    return Math.max(0, Math.ceil((this.bound - this.count - (this.counts.get(number) ?? 0)) / 2));
  }

  /** Enters up to `wanted` pieces of work of a number. @returns how many; each has to leave */
  enter(number: number, wanted: number): number {
    const entered = Math.min(wanted, this.roomFor(number));
    this.change(number, entered);
    return entered;
  }

  /** Takes back what has entered and was not begun. */
  leave(number: number, left: number): void {
    this.change(number, -left);
    for (const wake of this.waiters.splice(0)) wake();
  }

  /** One piece of work is done. */
  finish(number: number): void {
    this.bound = Math.min(this.limit, this.bound + 1);
    this.leave(number, 1);
  }

  /** Waits `milliseconds` between two tries. @returns false at once when the process stops */
  async pause(milliseconds: number): Promise<boolean> {
    if (this.closed) return false;
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    return !this.closed;
  }

  /** Ends it: waits for what is under way, `milliseconds` at most. */
  async close(milliseconds: number): Promise<void> {
    this.closed = true;
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds)));
    let late = false;
    void deadline.then(() => (late = true));
    while (this.count > 0 && !late) await Promise.race([this.nextToLeave(), deadline]);
    clearTimeout(timer);
  }

  private change(number: number, by: number): void {
    this.count += by;
    const count = (this.counts.get(number) ?? 0) + by;
    if (count > 0) this.counts.set(number, count);
    else this.counts.delete(number);
  }

  private nextToLeave(): Promise<void> {
    return new Promise((resolve) => this.waiters.push(resolve));
  }
}
