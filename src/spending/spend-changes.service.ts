import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../database/database.js';
import { periodOf } from './counting.sql.js';

/** Changes of one limit that the statement that accepts may find; it has three seconds in all. */
const MANY = 1_000;

/** Changes that are worked in by one statement, and statements for one limit before others get their turn. */
const BATCH = 5_000;
const MOST_BATCHES = 100;

/**
 * Works changes into the counters of their limits, where they become many: a canceled campaign leaves one for each message,
 * and the next send would have to work in all of them at once.
 */
@Injectable()
export class SpendChangesService {
  constructor(private readonly database: Database) {}

  async workIn(): Promise<void> {
    for (const { id } of await this.database.run<{ id: number }>(WITH_MANY, [MANY]))
      for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
        const [result] = await this.database.run<{ changes: number }>(WORK_IN, [id, BATCH]);
        if ((result?.changes ?? 0) < BATCH) break;
      }
  }
}

/** Limits with $1 changes or more. Where there are fewer in all, nothing else is read. */
const WITH_MANY: Statement = {
  name: 'spend_limits_with_many_changes',
  text: `
    SELECT spend_limit_id AS id FROM spend_changes
    WHERE (SELECT count(*) FROM (SELECT FROM spend_changes LIMIT $1::bigint) first) = $1::bigint
    GROUP BY spend_limit_id HAVING count(*) >= $1::bigint`,
};

/**
 * Works up to $2 changes into a limit ($1), for the period of its row and the one before, as the statement that accepts does.
 * Both lock the limit first. Who had to wait finds the changes gone, and their sum in the row.
 */
const WORK_IN: Statement = {
  name: 'spend_changes_work_in',
  timeout: 15_000,
  text: `
    WITH known AS MATERIALIZED (
      SELECT l.id, l.period_start, ${periodOf(`l.period_start - interval '1 microsecond'`)} AS start_before
      FROM spend_limits l WHERE l.id = $1 AND l.counted_from IS NULL FOR UPDATE
    ), gone AS (
      DELETE FROM spend_changes WHERE id = ANY(ARRAY(
        SELECT c.id FROM known k JOIN spend_changes c ON c.spend_limit_id = k.id AND c.period_start <= k.period_start
        LIMIT $2::bigint))
      RETURNING period_start, amount
    ), worked_in AS (
      UPDATE spend_limits l SET spent = l.spent + s.now, spent_before = l.spent_before + s.before
      FROM (
        SELECT k.id, coalesce(sum(g.amount) FILTER (WHERE g.period_start = k.period_start), 0) AS now,
          coalesce(sum(g.amount) FILTER (WHERE g.period_start = k.start_before), 0) AS before
        FROM known k CROSS JOIN gone g GROUP BY k.id
      ) s
      WHERE l.id = s.id
    )
    SELECT count(*) AS changes FROM gone`,
};
