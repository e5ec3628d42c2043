/** When a loop last had a good turn, by a clock that never jumps. A new one counts as having just had one. */
export class Heartbeat {
  private last = performance.now();

  /** To be called after each good turn. */
  beat(): void {
    this.last = performance.now();
  }

  /** Milliseconds since the last good turn. */
  get age(): number {
    return performance.now() - this.last;
  }
}
