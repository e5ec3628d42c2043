export interface TurnsOptions {
  /** How many pieces of work of one key may run at the same time. */
  atOnce: number;
  /** Makes the error for work whose turn has not come in time. */
  late: () => Error;
}

interface Line {
  running: number;
  /** Called to begin the work that waits, in this order. */
  waiting: (() => void)[];
}

/** Bounds the work of each key, so that no key takes all resources. Further work waits for its turn, in order. */
export class Turns {
  private readonly lines = new Map<string, Line>();

  constructor(private readonly options: TurnsOptions) {}

  /** Whether more work of that key would have to wait. */
  isFull(key: string): boolean {
    return (this.lines.get(key)?.running ?? 0) >= this.options.atOnce;
  }

  /** Runs the work when it is its turn; rejects when that does not come within `patience` (milliseconds; 0: at once). */
  async run<Result>(key: string, patience: number, work: () => Promise<Result>): Promise<Result> {
    await this.begin(key, patience);
    try {
      return await work();
    } finally {
      this.end(key);
    }
  }

  private async begin(key: string, patience: number): Promise<void> {
    const line = this.lines.get(key) ?? { running: 0, waiting: [] };
    this.lines.set(key, line);
    if (line.running < this.options.atOnce) {
      line.running += 1;
      return;
    }
    if (patience === 0) throw this.options.late();
    await new Promise<void>((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        line.waiting.splice(line.waiting.indexOf(begin), 1);
        reject(this.options.late());
      }, patience);
      line.waiting.push(begin);
    });
  }

  /** Hands the turn on to the next in line. */
  private end(key: string): void {
    const line = this.lines.get(key) as Line;
    const next = line.waiting.shift();
    if (next) return next();
    line.running -= 1;
    if (line.running === 0) this.lines.delete(key);
  }
}
