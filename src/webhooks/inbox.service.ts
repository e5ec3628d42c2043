import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Database, type Statement } from '../database/database.js';
import { GroupCommit } from '../database/group-commit.js';

/** Deliveries in one commit at most; each may have 3 MB. */
const BATCH = 50;

/** The first thing that happens to a genuine delivery: it is on disk before it is answered. */
@Injectable()
export class InboxService {
  private readonly puts: GroupCommit<string, undefined>;

  constructor(database: Database, clock: Clock) {
    this.puts = new GroupCommit({
      maxBatch: BATCH,
      commit: async (payloads) => {
        await database.run(PUT, [clock.now(), payloads]);
        return payloads.map(() => undefined);
      },
    });
  }

  /** Resolves when the delivery is committed. */
  put(payload: string): Promise<undefined> {
    return this.puts.submit(payload);
  }
}

const PUT: Statement = {
  name: 'inbox_put',
  text: `
    WITH put AS (
      INSERT INTO webhook_inbox (payload, received_at, next_try_at)
      SELECT payload, $1::timestamptz, $1::timestamptz FROM unnest($2::text[]) AS payload RETURNING 1
    )
    SELECT pg_notify('webhook_inbox', '') FROM put LIMIT 1`,
};
