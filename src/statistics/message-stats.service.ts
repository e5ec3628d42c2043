import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { END_PASS, LATE_HOURS, OLDEST_MESSAGE, RECOUNT, TAKE_PASS } from './message-stats.sql.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The most time whose messages one statement counts, in milliseconds. */
const STEP = DAY;

/**
 * How far back messages are counted again, and how often: most receipts come within minutes, some within days, and
 * the provider sends none after 30 days. `lease`: after which another process takes the turn of a lost one. All in
 * milliseconds.
 */
export const PASSES = {
  newest: { reach: 3 * HOUR, every: 50_000, lease: 5 * MINUTE },
  recent: { reach: 3 * DAY, every: 15 * MINUTE, lease: 15 * MINUTE },
  all: { reach: 35 * DAY, every: 6 * HOUR, lease: 30 * MINUTE },
} as const;

/** Keeps the hourly counts of messages true. It counts from the messages afterwards: sending costs nothing more. */
@Injectable()
export class MessageStatsService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(MessageStatsService.name);
  private stopped = false;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** The next run, here or in another process, counts what is left. */
  beforeApplicationShutdown(): void {
    this.stopped = true;
  }

  /** Runs the passes that are due and that no other process has begun. */
  async count(): Promise<void> {
    for (const name of Object.keys(PASSES) as (keyof typeof PASSES)[]) {
      const { every, lease } = PASSES[name];
      const now = this.clock.now();
      const [turn] = await this.database.run<{ counted_at: Date | null }>(TAKE_PASS, [
        name,
        now,
        later(now, lease),
      ]);
      if (!turn) continue;
      await this.pass(name, turn.counted_at === null, now);
      if (this.stopped) return;
      await this.database.run(END_PASS, [name, now, later(now, every)]);
    }
  }

  /** Counts the hours from the one of `from` to the one of `to`, both included; the newest days first. */
  async recount(from: Date, to: Date): Promise<void> {
    const first = fullHour(from);
    for (let end = fullHour(to) + HOUR; end > first && !this.stopped; end -= STEP) {
      await this.database.run(RECOUNT, [new Date(Math.max(first, end - STEP)), new Date(end)]);
    }
  }

  private async pass(name: keyof typeof PASSES, isFirst: boolean, now: Date): Promise<void> {
    const start = later(now, -PASSES[name].reach);
    if (name !== 'all') return this.recount(this.kept(start, now), now);
    if (isFirst) return this.countEverything(now);
    await this.recount(this.kept(start, now), now);
    const begin = new Date(fullHour(start));
    const hours = await this.database.run<{ hour: Date }>(LATE_HOURS, [begin, this.kept(new Date(0), now)]);
    for (const { hour } of hours) await this.recount(hour, hour);
  }

  private async countEverything(now: Date): Promise<void> {
    const [oldest] = await this.database.run<{ at: Date | null }>(OLDEST_MESSAGE);
    if (!oldest?.at) return;
    await this.recount(this.kept(oldest.at, now), now);
    if (!this.stopped) this.logger.log('All messages were counted for the overview');
  }

  /** Leaves out hours whose messages may be deleted for their age: these hours keep their last counts. */
  private kept(from: Date, now: Date): Date {
    const { RETENTION_MESSAGES: days } = this.config;
    if (days === 0) return from;
    const complete = fullHour(later(now, -days * DAY)) + HOUR;
    return new Date(Math.max(from.getTime(), complete));
  }
}

function fullHour(time: Date): number {
  return Math.floor(time.getTime() / HOUR) * HOUR;
}

function later(time: Date, milliseconds: number): Date {
  return new Date(time.getTime() + milliseconds);
}
