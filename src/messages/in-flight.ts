/** Counts the work under way in this process: bounds it, and waits for its end when the process stops. */
export class InFlight {
  private count = 0;
  private readonly waiters: (() => void)[] = [];
  closed = false;

  constructor(private readonly limit: number) {}

  /** @param work that never rejects */
  add(work: Promise<void>): void {
    this.count += 1;
    void work.finally(() => {
      this.count -= 1;
      for (const wake of this.waiters.splice(0)) wake();
    });
  }

  /** Resolves when fewer than the limit are under way. */
  async roomForMore(): Promise<void> {
    while (this.count >= this.limit) await this.change();
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
    while (this.count > 0 && !late) await Promise.race([this.change(), deadline]);
    clearTimeout(timer);
  }

  private change(): Promise<void> {
    return new Promise((resolve) => this.waiters.push(resolve));
  }
}
