import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { NESTING } from '../config/connections.js';
import { failPoint } from '../common/fail-point.js';
import { type Heartbeat, Heartbeats } from '../common/heartbeat.js';
import { storableText } from '../common/storable-text.js';
import { Database, type Queryable, type Statement } from '../database/database.js';
import { isDatabaseUnavailable, isRaceLost } from '../database/database-errors.js';
import { CHANNELS, Notifications } from '../database/notifications.js';
import { UnknownAccountsService } from './unknown-accounts.service.js';
import { type Applied, type AppliedInPart, WebhookApplierService } from './webhook-applier.service.js';
import { WebhookMetrics } from './webhook-metrics.js';

interface InboxRow {
  id: number;
  payload: string;
  received_at: Date;
  /** Accounts for which it was put aside before: only their updates are left to apply. Null: all are. */
  unknown_accounts: string[] | null;
  /** How many rows were looked at for the batch. */
  looked_at: number;
}

/** Deliveries that are applied in one transaction. */
interface Batch {
  /** How many at most. */
  size: number;
  rows: InboxRow[];
}

/** The most deliveries of one transaction; and their bytes, after which no more are taken. */
const BATCH = 500;
const BATCH_BYTES = 2 * 1024 * 1024;

/** How many times smaller the next batch is after one that failed. */
const SHRINK = 8;

/** Batches at the same time, if there is work for more than one: one is read while PostgreSQL applies the other. */
const CONCURRENCY = NESTING.webhookBatches;

/** Milliseconds between two looks when nobody wakes it. */
const CLOCK = 1_000;

/** Milliseconds without an applied batch or an empty look, after which the process is not ready. */
const PATIENCE = 20_000;

/**
 * Applies the inbox in batches: one transaction applies a batch and marks it as done. Several may be under way, here
 * and in other workers: rows in work are skipped. It does without Bull, so that receipts count while Redis is down.
 */
@Injectable()
export class InboxProcessor implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(InboxProcessor.name);
  private timer?: NodeJS.Timeout;
  private readonly running = new Set<Promise<void>>();
  private readonly heartbeat: Heartbeat;
  /** The most deliveries of the next batch. */
  private batchSize = BATCH;
  private again = false;
  private stopped = false;

  constructor(
    private readonly database: Database,
    private readonly applier: WebhookApplierService,
    private readonly metrics: WebhookMetrics,
    private readonly unknownAccounts: UnknownAccountsService,
    private readonly clock: Clock,
    notifications: Notifications,
    heartbeats: Heartbeats,
  ) {
    this.heartbeat = heartbeats.add('applying webhooks', PATIENCE);
    notifications.on(CHANNELS.inbox, () => this.wake());
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.wake(), CLOCK);
    this.wake();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await Promise.all(this.running);
  }

  private wake(): void {
    this.again = true;
    if (this.running.size === 0) this.run();
  }

  private run(): void {
    if (this.stopped || this.running.size === CONCURRENCY) return;
    const run = this.drain().finally(() => this.running.delete(run));
    this.running.add(run);
  }

  private async drain(): Promise<void> {
    while (this.again && !this.stopped) {
      this.again = false;
      const batch: Batch = { size: this.batchSize, rows: [] };
      try {
        await this.applyBatch(batch);
        this.heartbeat.beat();
      } catch (error) {
        this.heartbeat.miss();
        // The batch was rolled back; the clock tries again.
        this.logger.warn(`Webhooks not applied: ${(error as Error).message}`);
        if (!isDatabaseUnavailable(error)) await this.goOnAfter(error, batch);
      }
    }
  }

  private async applyBatch(batch: Batch): Promise<void> {
    await this.database.transaction(async (connection) => {
      const { size } = batch;
      batch.rows = await connection.run<InboxRow>(TAKE, [this.clock.now(), size, BATCH_BYTES]);
      const [first] = batch.rows;
      if (!first) return;
      if (first.looked_at === size || first.looked_at > batch.rows.length) {
        this.again = true;
        this.run();
      }
      if (size === 1) await this.applyAlone(first, connection);
      else await this.apply(batch.rows, connection);
    });
    if (batch.size === this.batchSize) this.batchSize = Math.min(BATCH, 2 * this.batchSize);
  }

  /**
   * After a batch that failed though the database works: takes smaller batches, down to the faulty delivery by itself,
   * and larger ones again after it. So the faulty delivery delays only its neighbours, by a few batches.
   */
  private async goOnAfter(error: unknown, { size, rows: [row, ...others] }: Batch): Promise<void> {
    if (size > 1) {
      this.batchSize = Math.min(this.batchSize, Math.max(1, Math.floor((others.length + 1) / SHRINK)));
      this.again = true;
    } else {
      // Not even a part of the delivery can be applied. If it cannot be put aside either, the clock tries again.
      this.again = row !== undefined && !isRaceLost(error) && (await this.park(row, error));
    }
  }

  /** Applies a single delivery. Updates that cannot be applied are put aside, the others count. */
  private async applyAlone(row: InboxRow, connection: Queryable): Promise<void> {
    const applied = await this.applier.applyInPart(row, connection, isFault);
    if (applied.rest && applied.isWhole) throw applied.rest.error;
    await this.note([row], [applied], connection);
    if (applied.rest) await this.parkRest(row, applied.rest, connection);
  }

  private async apply(rows: InboxRow[], connection: Queryable): Promise<void> {
    const outcomes = await this.applier.apply(rows, connection);
    failPoint('within-inbox-batch');
    await this.note(rows, outcomes, connection);
  }

  /** Marks deliveries with their results. */
  private async note(rows: InboxRow[], outcomes: Applied[], connection: Queryable): Promise<void> {
    const applied = rows.map(({ id }, index) => ({ id, ...(outcomes[index] as Applied) }));
    const done = applied.filter(({ unknownAccounts }) => unknownAccounts.length === 0);
    const waiting = applied.filter(({ unknownAccounts }) => unknownAccounts.length > 0);
    const marks = done.map(({ id, unknownMessages: count }) => ({
      id,
      error: count > 0 ? `${count} receipt(s) fit no message of the account` : null,
    }));
    await connection.run(DONE, [this.clock.now(), JSON.stringify(marks)]);
    if (waiting.length > 0) await this.parkForAccounts(waiting, connection);
    this.metrics.applied(rows.length);
  }

  /** Updates for an unknown account wait until it is added; the others of the delivery were applied. */
  private async parkForAccounts(
    waiting: { id: number; unknownAccounts: string[] }[],
    connection: Queryable,
  ): Promise<void> {
    const marks = waiting.map(({ id, unknownAccounts: accounts }) => ({
      id,
      accounts,
      error: `Not applied for business accounts that are not known: ${accounts.slice(0, 20).join(', ')}`,
    }));
    await connection.run(PARK_FOR_ACCOUNTS, [this.clock.now(), JSON.stringify(marks)]);
    await this.unknownAccounts.parked(
      marks.map(({ accounts }) => accounts),
      connection,
    );
    for (const _ of marks) this.metrics.parked();
  }

  /** Puts aside, as a delivery of their own, the updates that cannot be applied; in the transaction of the others. */
  private async parkRest(
    row: InboxRow,
    { payload, count, error }: NonNullable<AppliedInPart['rest']>,
    connection: Queryable,
  ): Promise<void> {
    const reason = storableText(`${count} update(s) of delivery ${row.id}: ${(error as Error).message}`);
    const values = [payload, row.received_at, this.clock.now(), reason];
    const [rest] = await connection.run<{ id: number }>(PARK_REST, values);
    this.notePark(rest!.id, error);
  }

  /** @returns false when even that is not possible now; the clock tries again */
  private async park(row: InboxRow, error: unknown): Promise<boolean> {
    const reason = storableText(String((error as Error).message));
    try {
      await this.database.run(PARK, [row.id, this.clock.now(), reason]);
    } catch (failure) {
      this.logger.warn(`Webhook not put aside: ${(failure as Error).message}`);
      return false;
    }
    this.notePark(row.id, error);
    return true;
  }

  private notePark(id: number, error: unknown): void {
    this.logger.error({ message: 'Webhook put aside: it cannot be applied', inbox_id: id, error });
    this.metrics.parked();
  }
}

/** Whether the updates themselves cause the error: then another try fails the same way. */
function isFault(error: unknown): boolean {
  return !isDatabaseUnavailable(error) && !isRaceLost(error);
}

export const TAKE: Statement = {
  name: 'inbox_take',
  text: `
    WITH due AS (
      SELECT id, payload, received_at, unknown_accounts, next_try_at FROM webhook_inbox
      WHERE processed_at IS NULL AND parked_at IS NULL AND next_try_at <= $1
      ORDER BY next_try_at, id LIMIT $2 FOR UPDATE SKIP LOCKED
    ), sized AS (
      SELECT *, sum(octet_length(payload)) OVER (ORDER BY next_try_at, id) - octet_length(payload) AS before FROM due
    )
    SELECT id, payload, received_at, unknown_accounts, (SELECT count(*) FROM due) AS looked_at FROM sized WHERE before < $3
    ORDER BY next_try_at, id`,
};

/**
 * Marks deliveries as applied. A receipt that fits no message is only noted: it is for a message of another system that
 * shares the business account. A receipt of ours finds its row, which was committed before the provider was called.
 */
export const DONE: Statement = {
  name: 'inbox_done',
  text: `
    UPDATE webhook_inbox w SET tries = w.tries + 1, error = d.error, processed_at = $1::timestamptz
    FROM json_to_recordset($2) AS d(id bigint, error text) WHERE w.id = d.id`,
};

export const PARK: Statement = {
  name: 'inbox_park',
  text: `
    UPDATE webhook_inbox SET parked_at = $2, error = $3, tries = tries + 1
    WHERE id = $1 AND processed_at IS NULL AND parked_at IS NULL`,
};

/** The rest of a delivery that was applied. Its digest is not noted, as it did not arrive in this form. */
export const PARK_REST: Statement = {
  name: 'inbox_park_rest',
  text: `
    INSERT INTO webhook_inbox (payload, received_at, next_try_at, tries, parked_at, error)
    VALUES ($1, $2, $2, 1, $3, $4) RETURNING id`,
};

export const PARK_FOR_ACCOUNTS: Statement = {
  name: 'inbox_park_for_accounts',
  text: `
    UPDATE webhook_inbox w SET parked_at = $1::timestamptz, tries = w.tries + 1, error = d.error,
      unknown_accounts = d.accounts
    FROM json_to_recordset($2) AS d(id bigint, error text, accounts text[]) WHERE w.id = d.id`,
};
