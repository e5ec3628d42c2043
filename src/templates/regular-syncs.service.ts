import { Injectable, Logger, type BeforeApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Database, type Statement } from '../database/database.js';
import { syncBackoff } from './domain/sync-backoff.js';
import { SYNC_LIMIT, TemplateSyncService } from './template-sync.service.js';

/** Business accounts that one worker syncs at the same time: each holds a connection to the provider and a list. */
export const AT_ONCE = 4;

/**
 * Milliseconds for which a taken account is left to its worker. This is longer than two syncs, one that others have
 * begun and the next, so that the lease only ends if the worker was lost.
 */
export const LEASE = 2 * SYNC_LIMIT + 120_000;

/** A business account that this worker has taken. */
interface Taken {
  id: string;
  /** How many regular syncs in a row failed before this one. */
  failures: number;
  /** The end of its lease. */
  until: Date;
}

/**
 * Syncs the business accounts that are due, a few at a time. A lease in the database lets one worker sync an account,
 * however many workers look. An account that fails waits longer each time, and comes after those that do not fail.
 */
@Injectable()
export class RegularSyncsService implements OnModuleDestroy, BeforeApplicationShutdown {
  private readonly logger = new Logger(RegularSyncsService.name);
  private readonly lanes = new Set<Promise<void>>();
  private stopped = false;

  constructor(
    private readonly syncs: TemplateSyncService,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Starts loops ("lanes"), up to AT_ONCE in all, that each sync one due account after the other. A slow account in one
   * lane delays neither the other lanes nor the next look.
   * @returns when the lanes that it has started find nothing more that is due; never rejects
   */
  async run(): Promise<void> {
    const begun: Promise<void>[] = [];
    while (!this.stopped && this.lanes.size < AT_ONCE) begun.push(this.begin());
    await Promise.all(begun);
  }

  /** Takes no more accounts. In the same step of the stop, TemplateSyncService gives up the syncs under way. */
  onModuleDestroy(): void {
    this.stopped = true;
  }

  /** The lanes end their leases. Their syncs have ended by this step of the stop, and the database still works. */
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
    else this.logger.debug(entry); // the first failure was logged as a warning, and all are counted
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
 * Takes an account that is due at $1, with a lease until $2: then it is due again, unless another time was set by then.
 * Accounts whose last sync failed come last.
 */
export const TAKE_DUE: Statement = {
  name: 'business_accounts_take_due',
  text: `
    UPDATE business_accounts SET template_sync_due_at = $2
    WHERE id = coalesce(${DUE('= 0')}, ${DUE('> 0')})
    RETURNING id, template_sync_failures AS failures`,
};

/** Ends the lease until $2 of account $1, unless a successful sync that somebody else asked for has ended it. */
const END_LEASE: Statement = {
  name: 'business_accounts_end_lease',
  text: `
    UPDATE business_accounts SET template_sync_failures = $3, template_sync_due_at = $4
    WHERE id = $1 AND template_sync_due_at = $2`,
};
