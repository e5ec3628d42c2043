import { cpuSeconds, cpuSecondsOfFamily, residentMegabytes } from './proc-stat.js';

/** What some work cost, by the name of the process. */
export interface Usage {
  /** Used cores: seconds of CPU a second. */
  cpu: Record<string, number>;
  /** The most megabytes in memory, measured twice a second. */
  peakMb: Record<string, number>;
}

/** Milliseconds between two measurements of the memory. */
const INTERVAL = 500;

/** Measures processes while something runs, and Redis' own count of its memory. */
export class Meter {
  private readonly peaks: Record<string, number> = {};
  private before: Record<string, number> = {};
  private startedAt = 0;
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly pids: Record<string, number>,
    private readonly redisBytes: () => Promise<number>,
    /** Gets every measurement: megabytes by name. */
    private readonly onLook: (megabytes: Record<string, number>) => void = () => undefined,
  ) {}

  start(): void {
    this.before = this.seconds();
    this.startedAt = performance.now();
    this.timer = setInterval(() => void this.look(), INTERVAL);
  }

  async stop(): Promise<Usage> {
    const elapsed = (performance.now() - this.startedAt) / 1000;
    clearInterval(this.timer);
    const after = this.seconds();
    await this.look();
    const shares = Object.entries(after).map(([name, value]) => [
      name,
      (value - (this.before[name] ?? 0)) / elapsed,
    ]);
    return { cpu: Object.fromEntries(shares), peakMb: this.peaks };
  }

  private seconds(): Record<string, number> {
    const times = Object.entries(this.pids).map(([name, pid]) => [
      name,
      name === 'postgres' ? cpuSecondsOfFamily(pid) : cpuSeconds(pid),
    ]);
    return Object.fromEntries(times);
  }

  private async look(): Promise<void> {
    const looks = Object.entries(this.pids).map(([name, pid]) => [name, residentMegabytes(pid)] as const);
    const megabytes = {
      ...Object.fromEntries(looks),
      redisData: (await this.redisBytes()) / 2 ** 20,
    };
    for (const [name, value] of Object.entries(megabytes))
      this.peaks[name] = Math.max(this.peaks[name] ?? 0, value);
    this.onLook(megabytes);
  }
}
