import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Database, type Statement } from '../database/database.js';

/** A delivery that could not be applied, as people look at it. */
export interface ParkedDelivery {
  id: number;
  received_at: Date;
  parked_at: Date;
  tries: number;
  error: string;
  /** The beginning of the payload. */
  excerpt: string;
}

/** Deliveries that were put aside; they stay until they are replayed. */
@Injectable()
export class ParkedDeliveriesService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** The oldest of these deliveries, and the number of all. */
  async list(limit: number): Promise<{ parked: ParkedDelivery[]; total: number }> {
    const parked = await this.database.run<ParkedDelivery>(LIST, [limit]);
    const [count] = await this.database.run<{ total: number }>(COUNT);
    return { parked, total: count?.total ?? 0 };
  }

  /** Makes workers apply all of them again, or the one with this id. @returns how many */
  async replay(id: number | null): Promise<number> {
    const [result] = await this.database.run<{ replayed: number }>(REPLAY, [id, this.clock.now()]);
    return result?.replayed ?? 0;
  }
}

export const LIST: Statement = {
  name: 'inbox_parked',
  text: `
    SELECT id, received_at, parked_at, tries, error, left(payload, 300) AS excerpt
    FROM webhook_inbox WHERE parked_at IS NOT NULL ORDER BY id LIMIT $1`,
};

export const COUNT: Statement = {
  name: 'inbox_parked_count',
  text: 'SELECT count(*) AS total FROM webhook_inbox WHERE parked_at IS NOT NULL',
};

export const REPLAY: Statement = {
  name: 'inbox_replay',
  text: `
    WITH replayed AS (
      UPDATE webhook_inbox SET parked_at = NULL, error = NULL, tries = 0, next_try_at = $2::timestamptz
      WHERE parked_at IS NOT NULL AND ($1::bigint IS NULL OR id = $1) RETURNING 1
    )
    SELECT (SELECT count(*) FROM replayed) AS replayed,
      (SELECT pg_notify('webhook_inbox', '') FROM replayed LIMIT 1)`,
};
