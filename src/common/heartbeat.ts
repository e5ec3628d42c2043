import { Injectable } from '@nestjs/common';

/** When a loop last had a good turn, by a clock that never jumps. A new one counts as having just had one. */
export class Heartbeat {
  private last = performance.now();
  private missed = false;

  /** To be called after each good turn. */
  beat(): void {
    this.last = performance.now();
    this.missed = false;
  }

  /** To be called after each turn that failed. */
  miss(): void {
    this.missed = true;
  }

  /** Milliseconds since the last good turn. */
  get age(): number {
    return performance.now() - this.last;
  }

  /** Whether the last turn was good. */
  get isGood(): boolean {
    return !this.missed;
  }
}

/** The loops of this process that work on PostgreSQL. Readiness is told from them, without a query. */
@Injectable()
export class Heartbeats {
  private readonly loops = new Map<string, { heartbeat: Heartbeat; patience: number }>();

  /**
   * @param name as people who run the service read it
   * @param patience milliseconds after which a loop without a good turn is late
   */
  add(name: string, patience: number): Heartbeat {
    const heartbeat = new Heartbeat();
    this.loops.set(name, { heartbeat, patience });
    return heartbeat;
  }

  /** The loops whose last turn failed, or is too long ago. */
  get late(): string[] {
    const late = [...this.loops].filter(
      ([, { heartbeat, patience }]) => !heartbeat.isGood || heartbeat.age > patience,
    );
    return late.map(([name]) => name);
  }
}
