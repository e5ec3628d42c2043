import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Database, type Statement } from '../database/database.js';

/** Milliseconds for which an idempotency key is kept; decisions.md promises 24 hours. */
const IDEMPOTENCY_KEY_AGE = 48 * 3_600_000;

/** Rows deleted by one statement at most. */
const BATCH = 5_000;

/** Deletes what has outlived its purpose. */
@Injectable()
export class Expiry {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async idempotencyKeys(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - IDEMPOTENCY_KEY_AGE);
    let deleted: unknown[];
    do deleted = await this.database.run(EXPIRE_KEYS, [before, BATCH]);
    while (deleted.length === BATCH);
  }
}

const EXPIRE_KEYS: Statement = {
  name: 'idempotency_expire',
  text: `
    DELETE FROM idempotency_keys WHERE (tenant_id, key) IN (
      SELECT tenant_id, key FROM idempotency_keys WHERE created_at < $1 LIMIT $2)
    RETURNING 1`,
};
