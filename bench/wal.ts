import type { Pool } from 'pg';
import type { Deployment } from './deployment.js';

/** Where the log stands. */
export async function walPosition(database: Pool): Promise<string> {
  const { rows } = await database.query<{ at: string }>('SELECT pg_current_wal_insert_lsn()::text AS at');
  return rows[0]?.at ?? '';
}

/** What was written to the log between two positions. */
export interface Written {
  bytes: number;
  /** Of them, those of whole pages, as they stood before their first change after a checkpoint. */
  fullPages: number;
  /** By table or index, the largest first; a record counts for the first that it changes. */
  byRelation: { name: string; bytes: number }[];
}

export async function writtenBetween(database: Pool, from: string, to: string): Promise<Written> {
  await database.query('CREATE EXTENSION IF NOT EXISTS pg_walinspect');
  const { rows: totals } = await database.query<{ bytes: number }>(
    'SELECT pg_wal_lsn_diff($2::pg_lsn, $1::pg_lsn)::float8 AS bytes',
    [from, to],
  );
  const { rows } = await database.query<{ name: string; bytes: number; full_pages: number }>(BY_RELATION, [
    from,
    to,
  ]);
  return {
    bytes: totals[0]?.bytes ?? 0,
    fullPages: rows.reduce((sum, { full_pages }) => sum + full_pages, 0),
    byRelation: rows,
  };
}

const BY_RELATION = `
  SELECT coalesce(c.relname, 'other') AS name, sum(record_length)::float8 AS bytes,
    coalesce(sum(block_fpi_length), 0)::float8 AS full_pages
  FROM pg_get_wal_block_info($1, $2, false) b
    LEFT JOIN pg_class c ON c.relfilenode = b.relfilenode
      AND b.reldatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
  WHERE block_id = 0
  GROUP BY 1 ORDER BY 2 DESC`;

/**
 * Keeps PostgreSQL from a checkpoint while `work` goes on: each page that is changed for the first time after one is
 * written to the log as a whole, which depends on when it comes.
 * @throws Error when there was one all the same
 */
export async function withoutCheckpoints<Result>(
  { environment, database }: Deployment,
  work: () => Promise<Result>,
): Promise<Result> {
  return environment.configured({ checkpoint_timeout: '1d', max_wal_size: '1TB' }, async () => {
    const before = await checkpoints(database);
    const result = await work();
    if ((await checkpoints(database)) !== before) throw new Error('There was a checkpoint meanwhile');
    return result;
  });
}

async function checkpoints(database: Pool): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    'SELECT (num_timed + num_requested)::integer AS count FROM pg_stat_checkpointer',
  );
  return rows[0]?.count ?? 0;
}
