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
import { UnknownAccounts } from './unknown-accounts.js';
import { type Applied, WebhookApplier } from './webhook-applier.js';
import { WebhookMetrics } from './webhook-metrics.js';

interface InboxRow {
  id: number;
  payload: string;
  received_at: Date;
  /** It was put aside for these before, and only what it says of them is left. */
  unknown_accounts: string[] | null;
  /** How many were looked at for the batch. */
  looked_at: number;
}

/** Deliveries applied in one transaction at most, and their bytes: no more are taken once these are reached. */
const BATCH = 500;
const BATCH_BYTES = 2 * 1024 * 1024;

/** Batches at a time while more than one is waiting: the worker reads one while PostgreSQL applies the other. */
const LANES = NESTING.webhookBatches;

/** Milliseconds between two looks when nobody wakes it. */
const CLOCK = 1_000;

/** Milliseconds without a batch applied, or a look that found none, after which the process is not ready. */
const PATIENCE = 20_000;

/**
 * Applies the inbox in batches, each in one transaction with the mark that it is done. Several may be under way at once,
 * here and in other workers: rows in work are skipped. Not on Bull, so that receipts count while Redis is out.
 */
@Injectable()
export class InboxProcessor implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(InboxProcessor.name);
  private timer?: NodeJS.Timeout;
  private readonly lanes = new Set<Promise<void>>();
  private readonly heartbeat: Heartbeat;
  private again = false;
  private stopped = false;

  constructor(
    private readonly database: Database,
    private readonly applier: WebhookApplier,
    private readonly metrics: WebhookMetrics,
    private readonly unknownAccounts: UnknownAccounts,
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
    await Promise.all(this.lanes);
  }

  private wake(): void {
    this.again = true;
    if (this.lanes.size === 0) this.addLane();
  }

  private addLane(): void {
    if (this.stopped || this.lanes.size === LANES) return;
    const lane = this.drain().finally(() => this.lanes.delete(lane));
    this.lanes.add(lane);
  }

  private async drain(): Promise<void> {
    while (this.again && !this.stopped) {
      this.again = false;
      try {
        await this.applyBatch();
        this.heartbeat.beat();
      } catch (error) {
        this.heartbeat.miss();
        // The batch was rolled back; the clock tries again.
        this.logger.warn(`Webhooks not applied: ${(error as Error).message}`);
        if (!isDatabaseUnavailable(error)) await this.applySingly();
      }
    }
  }

  private async applyBatch(): Promise<void> {
    await this.database.transaction(async (connection) => {
      const rows = await connection.run<InboxRow>(TAKE, [this.clock.now(), BATCH, BATCH_BYTES]);
      const [first] = rows;
      if (!first) return;
      if (first.looked_at === BATCH || first.looked_at > rows.length) {
        this.again = true;
        this.addLane();
      }
      await this.apply(rows, connection);
    });
  }

  /** After a batch that failed: each delivery by itself, so that only the one at fault is put aside. */
  private async applySingly(): Promise<void> {
    for (let more = true; more && !this.stopped;) {
      let row: InboxRow | undefined;
      try {
        more = await this.database.transaction(async (connection) => {
          [row] = await connection.run<InboxRow>(TAKE, [this.clock.now(), 1, 1]);
          if (row) await this.apply([row], connection);
          return row !== undefined;
        });
      } catch (error) {
        if (!row || isDatabaseUnavailable(error) || isRaceLost(error)) return; // the clock tries again
        if (!(await this.park(row, error))) return;
      }
    }
  }

  private async apply(rows: InboxRow[], connection: Queryable): Promise<void> {
    const outcomes = await this.applier.apply(rows, connection);
    failPoint('within-inbox-batch');
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

  /** What speaks of an account that is not known waits until it is added; the rest of the delivery was applied. */
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

  /** @returns false when even that is not possible now; the clock tries again */
  private async park(row: InboxRow, error: unknown): Promise<boolean> {
    const reason = storableText(String((error as Error).message));
    try {
      await this.database.run(PARK, [row.id, this.clock.now(), reason]);
    } catch (failure) {
      this.logger.warn(`Webhook not put aside: ${(failure as Error).message}`);
      return false;
    }
    this.logger.error({ message: 'Webhook put aside: it cannot be applied', inbox_id: row.id, error });
    this.metrics.parked();
    return true;
  }
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
 * Applied. A receipt that fits no message is only noted: another system that shares the business account sent what it
 * tells of. Ours carry the id of a row that was committed before the provider was called, so trying again finds nothing.
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

export const PARK_FOR_ACCOUNTS: Statement = {
  name: 'inbox_park_for_accounts',
  text: `
    UPDATE webhook_inbox w SET parked_at = $1::timestamptz, tries = w.tries + 1, error = d.error,
      unknown_accounts = d.accounts
    FROM json_to_recordset($2) AS d(id bigint, error text, accounts text[]) WHERE w.id = d.id`,
};
