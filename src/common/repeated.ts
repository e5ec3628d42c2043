import type { Heartbeat } from './heartbeat.js';

/** Runs a piece of work at an interval: one run at a time, the last of which is waited for when it stops. */
export class Repeated {
  private timer?: NodeJS.Timeout;
  private running?: Promise<void> | undefined;

  /**
   * @param interval milliseconds between two beginnings; one that comes while a run is under way is left out
   * @param onFault is told why a run has failed; the next one comes all the same
   * @param heartbeat is told of each run
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
