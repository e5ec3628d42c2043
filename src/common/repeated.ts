import type { Heartbeat } from './heartbeat.js';

/** Runs a piece of work at an interval, one run at a time. Stopping waits for the last run. */
export class Repeated {
  private timer?: NodeJS.Timeout;
  private running?: Promise<void> | undefined;

  /**
   * @param interval milliseconds from one start to the next; while a run is under way, none starts
   * @param onFault called with the error of a run that has failed; the next run starts all the same
   * @param heartbeat told of each run, good or failed
   */
  constructor(
    private readonly interval: number,
    private readonly work: () => Promise<unknown>,
    private readonly onFault: (error: Error) => void,
    private readonly heartbeat?: Heartbeat,
  ) {}

  /** The first run begins after an interval. */
  start(): void {
    this.timer = setInterval(() => this.run(), this.interval);
  }

  /** Begins a run now, unless one is under way. */
  run(): void {
    this.running ??= this.work()
      .then(
        () => this.heartbeat?.beat(),
        (error: Error) => {
          this.heartbeat?.miss();
          this.onFault(error);
        },
      )
      .finally(() => (this.running = undefined));
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }
}
