import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Database, type Statement } from '../database/database.js';
import { tellOf } from '../messages/message-effects.sql.js';
import { isOfNumber, shardSql } from '../shards/shards.js';

/** A number that may send, or probe, now. */
export interface DueNumber {
  id: number;
  messages_per_second: number;
  /** The hold that it is under and whose next probe is due; null when it is free. */
  probe_of: number | null;
  /** Due messages, counted up to the limit that was asked for. */
  due: number;
  /** When the first of the others is due. */
  next_due_at: Date | null;
}

/** A number with waiting messages, and when the first of them is due. */
export interface WaitingNumber {
  id: number;
  next_due_at: Date;
}

/** Finds the numbers that have something to send; those on hold only when it is time to probe. */
@Injectable()
export class DueNumbersStore {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** What those of the given numbers that may send now have to send, counted up to `limit`. */
  async among(ids: number[], limit: number): Promise<DueNumber[]> {
    return this.database.run<DueNumber>(AMONG, [this.clock.now(), ids, limit]);
  }

  /** Every number of these shards that has a waiting message due by that time. */
  async dueBy(time: Date, shards: number[]): Promise<WaitingNumber[]> {
    return this.database.run<WaitingNumber>(DUE_BY, [this.clock.now(), time, shards]);
  }

  /** Has the workers that dispatch these numbers look at them. */
  async tell(ids: number[]): Promise<void> {
    await this.database.run(TELL, [ids]);
  }
}

/** The holds that a number is under: its own and that of its business account. */
const HOLDS = `
  SELECT max(h.id) AS probe_of, max(h.next_probe_at) AS next_probe_at FROM holds h
  WHERE h.lifted_at IS NULL AND ((h.scope = 'number' AND h.target_id = n.id::text)
    OR (h.scope = 'business_account' AND h.target_id = n.business_account_id::text))`;

/** Two probes of the partial index for each number; the first stops at the limit. */
export const AMONG: Statement = {
  name: 'numbers_due',
  text: `
    SELECT n.id, n.messages_per_second, d.due, s.next_due_at, h.probe_of FROM messaging_accounts n
    CROSS JOIN LATERAL (${HOLDS}) h
    CROSS JOIN LATERAL (
      SELECT count(*) AS due FROM (
        SELECT FROM outbox o
        WHERE o.resolve_at IS NULL AND o.held_by IS NULL AND ${isOfNumber('o.', 'n.id')} AND o.due_at <= $1
        ORDER BY o.due_at LIMIT $3 -- in order: else the planner hopes to find them soon in the whole table
      ) rows
    ) d
    LEFT JOIN LATERAL (
      SELECT o.due_at AS next_due_at FROM outbox o
      WHERE o.resolve_at IS NULL AND o.held_by IS NULL AND ${isOfNumber('o.', 'n.id')} AND o.due_at > $1
      ORDER BY o.due_at LIMIT 1
    ) s ON true
    WHERE n.id = ANY($2::integer[]) AND (h.probe_of IS NULL OR h.next_probe_at <= $1)`,
};

/**
 * A recursive CTE: each number with waiting messages, and when the first of them is due. Jumps from one such number of a
 * shard to the next by the partial index, so that it costs as much as there are of them, however many numbers there are.
 * @param shards SQL of rows with the shards to look at
 */
export const waitingNumbers = (shards: string) => `
  waiting (id, due_at) AS (
    SELECT first.* FROM ${shards} AS s (shard) CROSS JOIN LATERAL (
      SELECT messaging_account_id, due_at FROM outbox
      WHERE resolve_at IS NULL AND held_by IS NULL AND ${shardSql('messaging_account_id')} = s.shard
      ORDER BY messaging_account_id, due_at LIMIT 1
    ) first
    UNION ALL
    SELECT next.* FROM waiting w CROSS JOIN LATERAL (
      SELECT messaging_account_id, due_at FROM outbox
      WHERE resolve_at IS NULL AND held_by IS NULL
        AND ${shardSql('messaging_account_id')} = ${shardSql('w.id')} AND messaging_account_id > w.id
      ORDER BY messaging_account_id, due_at LIMIT 1
    ) next
  )`;

export const DUE_BY: Statement = {
  name: 'numbers_due_by',
  text: `
    WITH RECURSIVE ${waitingNumbers('unnest($3::integer[])')}
    SELECT n.id, w.due_at AS next_due_at FROM waiting w
    CROSS JOIN LATERAL (
      SELECT * FROM messaging_accounts WHERE id = w.id LIMIT 1 -- else the planner reads all numbers there are
    ) n
    CROSS JOIN LATERAL (${HOLDS}) h
    WHERE w.due_at <= $2 AND (h.probe_of IS NULL OR h.next_probe_at <= $1)`,
};

const TELL: Statement = {
  name: 'numbers_tell',
  text: `SELECT ${tellOf('unnest($1::integer[]) AS number (messaging_account_id)')}`,
};
