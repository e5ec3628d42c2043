import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Config } from '../config/config.js';
import { Database, type Statement } from '../database/database.js';
import { EVENTS, INBOX, MESSAGES, type PartedByTime } from './parted-tables.js';
import { type Partition, type PartitionLook, PartitionStore } from './partition.store.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Milliseconds for which an idempotency key is kept; decisions.md promises 24 hours. */
const IDEMPOTENCY_KEY_AGE = 48 * HOUR;

/** Milliseconds for which the digest of a delivery is kept: the provider repeats it for up to seven days. */
const DIGEST_AGE = 10 * DAY;

/** A message outlives its idempotency key, which answers with it. */
const LEAST_MESSAGE_AGE = IDEMPOTENCY_KEY_AGE + DAY;

/** The part of a retention within which all rows of a partition were made that is dropped whole, for so much later. */
const WHOLE_WITHIN = 0.2;

/** Rows of a partition that stay when the others are dropped: they are copied. With more, the others are deleted. */
const MOST_STAYING = 50_000;

/** The end of the last partition. */
const NO_END = '9223372036854775807';

/** Rows looked at or deleted by one statement at most: short transactions, few locks. */
const BATCH = 5_000;

/** What a statement that walks a table by its ids did with one batch. */
interface Walked {
  /** Where the next batch begins; null at the end of what is old. */
  next: number | null;
  deleted: number;
}

/**
 * Deletes what has outlived its purpose. The ledger is never touched: it says what was charged, for ever.
 *
 * Messages and deliveries go with their partition, where it was filled within a fifth of the retention, when the last of
 * them is old: in seconds, and without a trace in the others. What has not ended by then moves to a small partition in its
 * place. Of partitions that took longer, and of small ones, old rows are deleted by batches.
 */
@Injectable()
export class ExpiryService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(ExpiryService.name);
  private stopped = false;

  constructor(
    private readonly database: Database,
    private readonly partitions: PartitionStore,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** What is left is deleted by the next run: a stop must not wait for millions of rows. */
  beforeApplicationShutdown(): void {
    this.stopped = true;
  }

  async idempotencyKeys(): Promise<void> {
    await this.repeat(EXPIRE_KEYS, IDEMPOTENCY_KEY_AGE);
  }

  async webhookDigests(): Promise<void> {
    await this.repeat(EXPIRE_DIGESTS, DIGEST_AGE);
  }

  /** A wish that is older than the lift of an opt-out comes no longer than a delivery is repeated. */
  async optOutLifts(): Promise<void> {
    await this.repeat(EXPIRE_LIFTS, DIGEST_AGE);
  }

  /** Messages that ended RETENTION_MESSAGES days ago, with their events. */
  async messages(): Promise<void> {
    const age = this.config.RETENTION_MESSAGES * DAY;
    if (age > 0) await this.expire('messages', MESSAGES, EXPIRE_MESSAGES, Math.max(age, LEAST_MESSAGE_AGE));
  }

  /** Webhook deliveries that were applied RETENTION_INBOX days ago; those put aside are kept for people to look at. */
  async inbox(): Promise<void> {
    const age = this.config.RETENTION_INBOX * DAY;
    if (age > 0) await this.expire('webhook deliveries', INBOX, EXPIRE_INBOX, age);
  }

  /** Events that were recorded RETENTION_EVENTS days ago. */
  async events(): Promise<void> {
    const age = this.config.RETENTION_EVENTS * DAY;
    if (age > 0) await this.expire('events', EVENTS, EXPIRE_EVENTS, age);
  }

  private async repeat(statement: Statement, age: number): Promise<void> {
    let deleted: unknown[];
    do deleted = await this.database.run(statement, [this.before(age), BATCH]);
    while (deleted.length === BATCH && !this.stopped);
  }

  private async expire(what: string, table: PartedByTime, statement: Statement, age: number): Promise<void> {
    const used = await this.partitions.lastId(table);
    let deleted = 0;
    for (const partition of await this.partitions.list(table.name)) {
      const look = await this.partitions.look(table, partition);
      const isFull = partition.to !== null && partition.to <= used;
      if (look.first && look.first >= this.before(age)) break;
      if (this.stopped) break;
      if (isFull && goesWhole(look, age)) await this.dropOld(table, partition, look, statement, age);
      else deleted += await this.walk(partition, statement, age);
    }
    if (deleted > 0) this.logger.log({ message: `Deleted old ${what}`, count: deleted });
  }

  /** Drops a partition, if its last row is old. */
  private async dropOld(
    table: PartedByTime,
    partition: Partition,
    { last }: PartitionLook,
    statement: Statement,
    age: number,
  ): Promise<void> {
    if (last && last >= this.before(age)) return;
    const staying = await this.partitions.staying(table, partition, this.before(age), MOST_STAYING);
    if (staying === null) await this.walk(partition, statement, age);
    else if (await this.partitions.drop(table, partition, staying))
      this.logger.log({
        message: 'Dropped an old partition',
        partition: partition.name,
        stayed: staying.length,
      });
  }

  /** Deletes the old rows of a partition by batches. @returns how many */
  private async walk({ from, to }: Partition, statement: Statement, age: number): Promise<number> {
    const before = this.before(age);
    let total = 0;
    for (let next: number | null = (from ?? 1) - 1; next !== null && !this.stopped;) {
      const [walked]: Walked[] = await this.database.run<Walked>(statement, [before, next, to ?? NO_END]);
      total += walked?.deleted ?? 0;
      next = walked?.next ?? null;
    }
    return total;
  }

  private before(age: number): Date {
    return new Date(this.clock.now().getTime() - age);
  }
}

/** Whether the partition is dropped when all in it is old: else, each row is deleted in its time. An empty one goes. */
function goesWhole({ first, last, isSmall }: PartitionLook, age: number): boolean {
  if (!first || !last) return true;
  return !isSmall && last.getTime() - first.getTime() <= age * WHOLE_WITHIN;
}

/** Milliseconds: it may have to read them from disk. */
const TIMEOUT = 30_000;

/**
 * Deletes up to $2 rows that were made before $1. By their places in the table: by their keys, the planner reads all keys
 * there are. One that is renewed at the same moment stays: its time is looked at again.
 */
const expireByTime = (name: string, table: string, madeAt: string): Statement => ({
  name,
  timeout: TIMEOUT,
  text: `
    DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM ${table} WHERE ${madeAt} < $1 ORDER BY ${madeAt} LIMIT $2)) AND ${madeAt} < $1
    RETURNING 1`,
});

export const EXPIRE_KEYS = expireByTime('idempotency_expire', 'idempotency_keys', 'created_at');

export const EXPIRE_DIGESTS = expireByTime('webhook_digests_expire', 'webhook_digests', 'received_at');

export const EXPIRE_LIFTS = expireByTime('opt_out_lifts_expire', 'opt_out_lifts', 'noted_at');

/**
 * Deletes old rows of a table, and tells where to go on. Ids grow with the time of creation, so what is old lies at the start
 * of the primary key: the statement walks it from $2 on, to the end of its partition ($3), passes over what must stay, and
 * stops at the first row that is younger than $1. It needs no index on time, which every insert would pay for. Ids are handed
 * over as arrays, for which the planner has but one plan, the index: joins tempted it to read the whole table.
 * @param madeAt its column of the time at which a row was made
 * @param mayGo SQL of a further condition
 * @param further SQL of CTEs with what goes with the rows of `deleted`
 */
const expireByWalk = (name: string, { table, madeAt, mayGo = 'true', further = '' }: Walk): Statement => ({
  name,
  timeout: TIMEOUT,
  text: `
    WITH page AS MATERIALIZED (
      SELECT id, ${madeAt} < $1::timestamptz AS old FROM ${table}
      WHERE id > $2 AND id < $3::bigint ORDER BY id LIMIT ${BATCH}
    ), deleted AS (
      DELETE FROM ${table}
      WHERE id = ANY(ARRAY(SELECT id FROM page WHERE old)) AND id > $2 AND id < $3::bigint AND ${mayGo}
      RETURNING id
    )${further}
    SELECT CASE WHEN count(*) = ${BATCH} AND bool_and(old) THEN max(id) END AS next,
      (SELECT count(*) FROM deleted) AS deleted
    FROM page`,
});

interface Walk {
  table: string;
  madeAt: string;
  mayGo?: string;
  further?: string;
}

/** Locks in the order of the ids, as receipts do. What was scheduled far ahead is as old as its last change. */
export const EXPIRE_MESSAGES = expireByWalk('messages_expire', {
  table: 'message_logs',
  madeAt: 'created_at',
  mayGo: `status IN ('sent', 'delivered', 'read', 'failed', 'canceled')
        AND greatest(created_at, sent_at, delivered_at, read_at, failed_at, canceled_at) < $1::timestamptz`,
  further: `, events AS (
      DELETE FROM message_events
      WHERE message_log_id = ANY(ARRAY(SELECT id FROM deleted)) AND message_log_id > $2 AND message_log_id < $3::bigint
    ), retries AS (
      DELETE FROM message_retries WHERE retry_of = ANY(ARRAY(SELECT id FROM deleted))
    )`,
});

export const EXPIRE_INBOX = expireByWalk('inbox_expire', {
  table: 'webhook_inbox',
  madeAt: 'received_at',
  mayGo: 'processed_at < $1::timestamptz AND parked_at IS NULL',
});

/** With a note of it, by which readers with an earlier position are told that they have missed something. */
export const EXPIRE_EVENTS = expireByWalk('events_expire', {
  table: 'event_stream',
  madeAt: 'recorded_at',
  further: `, noted AS (
      UPDATE installation SET events_deleted_to = greatest(events_deleted_to, (SELECT max(id) FROM deleted))
      WHERE EXISTS (SELECT FROM deleted)
    )`,
});
