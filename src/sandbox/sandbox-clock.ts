import { type Clock, MovableClock } from '../common/clock.js';
import { GraphError } from './graph-error.js';

const UNITS = { s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000 };
type Unit = keyof typeof UNITS;

/** Milliseconds by which it can be ahead: ten years. */
const MOST_AHEAD = 3_653 * UNITS.d;

/** The clock that the sandbox shares with its service, and how far it was moved. */
export class SandboxClock {
  constructor(private readonly clock: Clock) {}

  /** Only where service, sandbox and data are of one process and its own: see `EmbeddedDefault`. */
  get isMovable(): boolean {
    return this.clock instanceof MovableClock;
  }

  get now(): Date {
    return this.clock.now();
  }

  /** Milliseconds. */
  get ahead(): number {
    return this.clock.ahead;
  }

  /** @param by such as `30min`, `26h` or `7d` */
  forward(by: string): void {
    const milliseconds = durationOf(by);
    if (!(this.clock instanceof MovableClock))
      throw new GraphError(100, 'This clock cannot be moved: the service has data or processes beside it.');
    if (this.clock.ahead + milliseconds > MOST_AHEAD)
      throw new GraphError(100, 'The clock can be ten years ahead at most.');
    this.clock.forward(milliseconds);
  }
}

function durationOf(text: string): number {
  const [, count, unit] = /^\s*(\d{1,6})\s*(s|min|h|d)\s*$/.exec(text) ?? [];
  const milliseconds = Number(count) * UNITS[unit as Unit];
  if (milliseconds > 0) return milliseconds;
  throw new GraphError(100, 'forward must be a time such as 30s, 10min, 26h or 7d.');
}

/** A duration in words, such as "1 d 2 h". */
export function durationText(milliseconds: number): string {
  const parts: string[] = [];
  let left = milliseconds;
  for (const unit of ['d', 'h', 'min', 's'] as const) {
    const count = Math.floor(left / UNITS[unit]);
    left -= count * UNITS[unit];
    if (count > 0) parts.push(`${count} ${unit}`);
  }
  return parts.join(' ');
}
