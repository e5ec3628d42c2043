/**
 * The time, injected wherever a rule depends on it, so that tests and the sandbox can move it. It is the real one here,
 * which is never ahead of itself and never leaps.
 */
export class Clock {
  now(): Date {
    return new Date();
  }

  /** The time by which people live, who sign in with clocks of their own. */
  real(): Date {
    return this.now();
  }

  /** Milliseconds by which it is ahead of the real time. */
  get ahead(): number {
    return 0;
  }

  /** @param _listener called after each leap, to look at once at what waits for a time */
  onLeap(_listener: () => void): void {}
}

/** A clock that can be moved forward, and never back: what was written by then would lie in the future. */
export class MovableClock extends Clock {
  private readonly listeners: (() => void)[] = [];

  /**
   * @param offset milliseconds by which it is ahead from the start
   * @param keep keeps what it will be ahead, before a leap
   */
  constructor(
    private offset = 0,
    private readonly keep: (ahead: number) => void = () => undefined,
  ) {
    super();
  }

  override now(): Date {
    return new Date(Date.now() + this.offset);
  }

  override real(): Date {
    return new Date();
  }

  override get ahead(): number {
    return this.offset;
  }

  override onLeap(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Moves it forward; it runs by itself from there. */
  forward(milliseconds: number): void {
    this.keep(this.offset + milliseconds);
    this.offset += milliseconds;
    for (const listener of this.listeners) listener();
  }
}
