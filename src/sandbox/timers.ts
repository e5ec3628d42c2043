/** Timers that can be cancelled all at once, so that a stopped sandbox leaves no handle behind. */
export class Timers {
  private readonly running = new Set<NodeJS.Timeout>();
  private open = true;

  /** Runs `action` in `delay` milliseconds, unless {@link cancelAll} comes first. */
  after(delay: number, action: () => void): void {
    if (!this.open) return;
    const timer = setTimeout(() => {
      this.running.delete(timer);
      action();
    }, delay);
    this.running.add(timer);
  }

  /** Cancels all timers, and ignores new ones until {@link reopen}. */
  cancelAll(): void {
    this.open = false;
    for (const timer of this.running) clearTimeout(timer);
    this.running.clear();
  }

  reopen(): void {
    this.open = true;
  }
}
