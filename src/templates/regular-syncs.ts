import { Injectable, Logger, type BeforeApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Database, type Statement } from '../database/database.js';
import { syncBackoff } from './domain/sync-backoff.js';
import { SYNC_LIMIT, TemplateSyncService } from './template-sync.service.js';

/** Business accounts that one worker syncs at the same time: each holds a connection to the provider and a list. */
export const AT_ONCE = 4;

/**
 * Milliseconds for which an account that was taken is left to the worker that took it. Longer than the sync that may be
 * under way for others and the one after it, so that only a worker that was lost lets it end.
 */
export const LEASE = 2 * SYNC_LIMIT + 120_000;

/** A business account that this worker has taken. */
interface Taken {
  id: string;
  /** Regular syncs that failed in a row before this one. */
  failures: number;
  /** The end of its lease. */
  until: Date;
}

/**
 * Syncs the business accounts that are due, a few at a time. Each is taken in the database under a lease, so that
 * however many workers look, one syncs it. One that fails waits longer and longer, and comes after those that do not.
 */
@Injectable()
export class RegularSyncs implements OnModuleDestroy, BeforeApplicationShutdown {
  private readonly logger = new Logger(RegularSyncs.name);
  private readonly lanes = new Set<Promise<void>>();
  private stopped = false;

  constructor(
    private readonly syncs: TemplateSyncService,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Begins to sync what is due, one account after the other in each lane that is free. A lane whose account is slow holds
   * up neither the other lanes nor the next look.
   * @returns when the lanes that it has begun find nothing more that is due; never rejects
   */
  async run(): Promise<void> {
    const begun: Promise<void>[] = [];
    while (!this.stopped && this.lanes.size < AT_ONCE) begun.push(this.begin());
    await Promise.all(begun);
  }

  /** Takes nothing more. What is under way is given up by TemplateSyncService, in this same step of the stop. */
  onModuleDestroy(): void {
    this.stopped = true;
  }

  /** The lanes give back what they have taken, while there is a database. A step later, as their syncs have ended then. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.lanes);
  }

  private begin(): Promise<void> {
    const lane = this.lane().finally(() => this.lanes.delete(lane));
    this.lanes.add(lane);
    return lane;
  }

  private async lane(): Promise<void> {
    try {
      for (let account = await this.take(); account; account = await this.take()) await this.sync(account);
    } catch (error) {
      this.logger.warn(`The next look goes on with the regular syncs: ${(error as Error).message}`);
    }
  }

  private async take(): Promise<Taken | null> {
    if (this.stopped) return null;
    const now = this.clock.now();
    const until = later(now, LEASE);
    const [taken] = await this.database.run<Omit<Taken, 'until'>>(TAKE_DUE, [now, until]);
    return taken ? { ...taken, until } : null;
  }

  /** A sync that succeeds sets the time of the next itself, whoever asked for it (TemplateStore). */
  private async sync(account: Taken): Promise<void> {
    try {
      await this.syncs.sync(account.id);
    } catch (error) {
      const now = this.clock.now();
      if (this.stopped) await this.end(account, account.failures, now);
      else await this.fail(account, error as Error, now);
    }
  }

  private async fail(account: Taken, error: Error, now: Date): Promise<void> {
    const { id, failures } = account;
    const next = later(now, syncBackoff(failures + 1));
    const message = `Templates of business account ${id} not synced, again from ${next.toISOString()} on: ${error.message}`;
    const entry = { message, businessAccountId: id, failures: failures + 1 };
    if (failures === 0) this.logger.warn(entry);
    else this.logger.debug(entry); // it was said before, and is counted
    await this.end(account, failures + 1, next);
  }

  private async end({ id, until }: Taken, failures: number, next: Date): Promise<void> {
    await this.database.run(END_LEASE, [id, until, failures, next]);
  }
}

function later(time: Date, milliseconds: number): Date {
  return new Date(time.getTime() + milliseconds);
}

const DUE = (failures: string) => `(
      SELECT id FROM business_accounts
      WHERE template_sync_failures ${failures} AND template_sync_due_at <= $1
      ORDER BY template_sync_due_at LIMIT 1 FOR UPDATE SKIP LOCKED)`;

/**
 * Takes an account that is due at $1 until $2, when it is due again unless something else was said of it meanwhile. Those
 * whose last sync failed come last.
 */
export const TAKE_DUE: Statement = {
  name: 'business_accounts_take_due',
  text: `
    UPDATE business_accounts SET template_sync_due_at = $2
    WHERE id = coalesce(${DUE('= 0')}, ${DUE('> 0')})
    RETURNING id, template_sync_failures AS failures`,
};

/** Ends the lease of account $1 until $2, unless it has ended: a sync that somebody else asked for has succeeded. */
const END_LEASE: Statement = {
  name: 'business_accounts_end_lease',
  text: `
    UPDATE business_accounts SET template_sync_failures = $3, template_sync_due_at = $4
    WHERE id = $1 AND template_sync_due_at = $2`,
};
