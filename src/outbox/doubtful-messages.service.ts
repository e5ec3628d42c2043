import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Database, type Statement } from '../database/database.js';
import { FAIL_DOUBTFUL, HOLD_DOUBTFUL, RESTORE_HOLDS, SEND_DOUBTFUL } from './doubtful.sql.js';

/** A message that may have been sent after the moment to which the database was restored. */
export interface DoubtfulMessage {
  message_log_id: number;
  tenant_id: string;
  messaging_account_id: string;
  phone: string;
  template: string;
  language: string;
  category: string;
  campaign_id: number | null;
  due_at: string;
  /** Calls to the provider before the moment. */
  attempts: number;
}

/** Entries of the outbox of one statement. */
const HOLD_BATCH = 5_000;
const FAIL_BATCH = 500;

/** Messages that may have been sent after the moment to which the database was restored: held until somebody decides. */
@Injectable()
export class DoubtfulMessagesService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Holds all that was due by that time; again, it finds the same. @returns how many are held */
  async hold(dueBy: Date): Promise<number> {
    let held = 0;
    for (let last: number | null = 0; last !== null;) {
      const values: unknown[] = [this.clock.now(), dueBy, last, HOLD_BATCH];
      const [batch] = await this.database.run<{ last: number | null; held: number }>(HOLD_DOUBTFUL, values);
      held += batch!.held;
      ({ last } = batch!);
    }
    return held;
  }

  async list(after: number, limit: number): Promise<{ count: number; messages: DoubtfulMessage[] }> {
    const [page] = await this.database.run<{ count: number; messages: DoubtfulMessage[] }>(LIST_DOUBTFUL, [
      after,
      limit,
    ]);
    return page!;
  }

  /** Lets them go out. @param ids null: all of them @returns how many */
  async send(ids: number[] | null): Promise<number> {
    if (ids) return this.settle(SEND_DOUBTFUL, [ids]);
    const { count } = await this.list(0, 0);
    await this.database.run(END_RESTORE_HOLDS, [this.clock.now(), true]);
    return count;
  }

  /** Fails them, with refund. @param ids null: all of them @returns how many */
  async fail(ids: number[] | null): Promise<number> {
    let failed = 0;
    for (let batch = FAIL_BATCH; batch === FAIL_BATCH; failed += batch)
      batch = await this.settle(FAIL_DOUBTFUL, [this.clock.now(), ids, FAIL_BATCH]);
    return failed;
  }

  private async settle(statement: Statement, values: unknown[]): Promise<number> {
    const [result] = await this.database.run<{ settled: number }>(statement, values);
    await this.database.run(END_RESTORE_HOLDS, [this.clock.now(), false]);
    return result!.settled;
  }
}

/** A page of doubtful messages after $1, in the order of their ids, and how many there are. */
export const LIST_DOUBTFUL: Statement = {
  name: 'outbox_list_doubtful',
  timeout: 60_000,
  text: `
    WITH kept AS MATERIALIZED (
      SELECT o.message_log_id AS id, o.due_at, o.attempts FROM outbox o WHERE o.held_by = ANY(ARRAY(${RESTORE_HOLDS}))
    ), page AS MATERIALIZED (
      SELECT * FROM kept WHERE id > $1::bigint ORDER BY id LIMIT $2::bigint
    )
    SELECT (SELECT count(*) FROM kept) AS count, (SELECT coalesce(json_agg(json_build_object(
      'message_log_id', p.id, 'tenant_id', m.tenant_id, 'messaging_account_id', n.api_id, 'phone', m.phone,
      'template', m.template_name, 'language', m.language, 'category', m.conversation_category,
      'campaign_id', m.campaign_id, 'due_at', p.due_at, 'attempts', p.attempts) ORDER BY p.id), '[]')
      FROM page p JOIN message_logs m USING (id) JOIN messaging_accounts n ON n.id = m.messaging_account_id) AS messages`,
};

/** Ends the holds of restores that keep nothing any more, or all ($2). What they keep is released by RELEASE_HELD. */
export const END_RESTORE_HOLDS: Statement = {
  name: 'holds_end_of_restores',
  text: `
    UPDATE holds h SET lifted_at = $1::timestamptz, lifted_by = 'command'
    WHERE h.scope = 'restore' AND h.lifted_at IS NULL
      AND ($2::boolean OR NOT EXISTS (SELECT FROM outbox o WHERE o.held_by = h.id))`,
};
