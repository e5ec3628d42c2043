import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Database } from '../database/database.js';
import {
  COUNT_RECIPIENTS,
  FORGET_BATCH,
  FORGET_LATE,
  MOST_COUNTED,
  STORE_RECIPIENTS,
  TAKE_TENANT,
} from './portfolio-use.sql.js';

const MINUTE = 60_000;

/** Milliseconds over which the provider's limit counts people. */
const DAY = 24 * 60 * MINUTE;

/** Milliseconds between two counts of a tenant, and after which the turn of a process that was lost is given on. */
const INTERVAL = 10 * MINUTE;
const LEASE = 5 * MINUTE;

/** The part of the time that counting may take: a count of one second is repeated after five minutes at least. */
const SHARE = 1 / 300;

/**
 * Counts how many people each portfolio has reached in the last 24 hours, which is what the provider limits. It counts
 * from the messages afterwards, so that sending costs nothing more.
 */
@Injectable()
export class PortfolioUseService implements BeforeApplicationShutdown {
  private stopped = false;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** The next run, here or in another process, counts what is left. */
  beforeApplicationShutdown(): void {
    this.stopped = true;
  }

  /** Counts the tenants that are due and that no other process has begun. */
  async count(): Promise<void> {
    while (!this.stopped) {
      const now = this.clock.now();
      const [turn] = await this.database.run<{ tenant_id: string }>(TAKE_TENANT, [now, later(now, LEASE)]);
      if (!turn) return;
      await this.countTenant(turn.tenant_id, now);
    }
  }

  private async countTenant(tenantId: string, now: Date): Promise<void> {
    const start = performance.now();
    const rows = await this.database.run<{ portfolio: string | null; recipients: number }>(COUNT_RECIPIENTS, [
      tenantId,
      later(now, -DAY),
    ]);
    const took = performance.now() - start;
    const looked = rows.find(({ portfolio }) => portfolio === null)?.recipients ?? 0;
    await this.database.run(STORE_RECIPIENTS, [
      tenantId,
      JSON.stringify(rows.filter(({ portfolio }) => portfolio !== null)),
      looked === MOST_COUNTED,
      now,
      later(now, Math.max(INTERVAL, took / SHARE)),
    ]);
    await this.forget(tenantId, later(now, -DAY));
  }

  private async forget(tenantId: string, before: Date): Promise<void> {
    let forgotten: unknown[];
    do forgotten = await this.database.run(FORGET_LATE, [tenantId, before]);
    while (forgotten.length === FORGET_BATCH && !this.stopped);
  }
}

function later(time: Date, milliseconds: number): Date {
  return new Date(time.getTime() + milliseconds);
}
