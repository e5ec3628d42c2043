import { isEndedByServer } from './database-errors.js';
import { GroupCommit } from './group-commit.js';

/** Rows that one statement looks for. */
const MOST_KEYS = 100;

/** Look-ups that may wait, and milliseconds after which a statement has taken too long for those behind it to wait as well. */
const MOST_WAITING = 10_000;
const PATIENCE = 2_000;

/** Statements under way at the same time, so that looking up leaves connections for other work. */
const STATEMENTS = 2;

/**
 * Has look-ups of single rows that are asked for at the same time share a statement: a process that serves more tenants
 * than its caches hold looks up several rows for each send. A statement whose connection the server ends is repeated once:
 * behind a pooler, a lost connection's process may be theirs by the time that `Database.endBackend` ends it.
 * @param readAll finds the rows of these keys, in whatever order
 * @param isFor whether a row is the key's
 * @returns finds the row of a key, or null; it rejects as the database does, and soon where that does not answer
 */
export function gatheredReads<Key, Row>(
  readAll: (keys: Key[]) => Promise<Row[]>,
  isFor: (row: Row, key: Key) => boolean,
): (key: Key) => Promise<Row | null> {
  const reads = new GroupCommit<Key, Row | null>({
    commit: async (keys) => {
      const rows = await readAll(keys).catch((error: unknown) => {
        if (isEndedByServer(error)) return readAll(keys);
        throw error;
      });
      return keys.map((key) => rows.find((row) => isFor(row, key)) ?? null);
    },
    maxBatch: MOST_KEYS,
    concurrency: STATEMENTS,
    patience: PATIENCE,
    mostWaiting: MOST_WAITING,
  });
  return (key) => reads.submit(key);
}
