import type { QueryRunner } from 'typeorm';

/** An index that a migration makes while the table is in use. */
export interface ConcurrentIndex {
  name: string;
  table: string;
  /** What follows the table's name, such as `(tenant_id, sent_at) WHERE sent_at IS NOT NULL`. */
  definition: string;
  isUnique?: boolean;
}

/**
 * Makes an index without keeping anybody from the table, for a migration with `transaction = false`. It may run again after
 * it was cut off: it goes on where it was, and makes anew what has stayed broken. On a partitioned table, each partition
 * gets its index by itself.
 */
export async function createConcurrently(runner: QueryRunner, index: ConcurrentIndex): Promise<void> {
  const partitions = (await runner.query(PARTITIONS, [index.table])) as {
    name: string;
    isPartitioned: boolean;
  }[];
  if (!partitions.some(({ isPartitioned }) => isPartitioned)) return createOne(runner, index);
  const { name, table, definition, isUnique } = index;
  // Partitions that are made from now on have it from the start.
  await runner.query(
    `CREATE ${isUnique ? 'UNIQUE ' : ''}INDEX IF NOT EXISTS ${name} ON ONLY ${table} ${definition}`,
  );
  for (const partition of partitions.filter(({ isPartitioned }) => !isPartitioned)) {
    const [attached] = await runner.query(ATTACHED, [name, partition.name]);
    if (attached) continue;
    const own = `${partition.name}_${name}`;
    if (own.length > LONGEST_NAME) throw new Error(`The name of an index is too long: ${own}`);
    await createOne(runner, { ...index, name: own, table: partition.name });
    await runner.query(`ALTER INDEX ${name} ATTACH PARTITION ${own}`);
  }
}

/** Removes an index without keeping anybody from its table, for a migration with `transaction = false`. */
export async function dropConcurrently(runner: QueryRunner, name: string): Promise<void> {
  await unhurried(runner, `DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
}

async function createOne(
  runner: QueryRunner,
  { name, table, definition, isUnique }: ConcurrentIndex,
): Promise<void> {
  const [existing] = await runner.query(
    'SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)',
    [name],
  );
  if (existing?.indisvalid) return;
  if (existing) await dropConcurrently(runner, name);
  await unhurried(
    runner,
    `CREATE ${isUnique ? 'UNIQUE ' : ''}INDEX CONCURRENTLY ${name} ON ${table} ${definition}`,
  );
}

/** Without a limit for its waits, in which it keeps nobody from reading and writing. */
async function unhurried(runner: QueryRunner, statement: string): Promise<void> {
  await runner.query('SET lock_timeout = 0');
  try {
    await runner.query(statement);
  } finally {
    await runner.query('RESET lock_timeout');
  }
}

/** Characters of a name in PostgreSQL, which cuts off the rest. */
const LONGEST_NAME = 63;

/** The table itself, and all below it. */
const PARTITIONS = `
  SELECT c.oid::regclass::text AS name, c.relkind = 'p' AS "isPartitioned"
  FROM pg_class c WHERE c.oid = $1::regclass OR c.oid IN (SELECT relid FROM pg_partition_tree($1::regclass))`;

/** Whether a partition has its part of an index. */
const ATTACHED = `
  SELECT FROM pg_inherits h JOIN pg_index i ON i.indexrelid = h.inhrelid
  WHERE h.inhparent = to_regclass($1) AND i.indrelid = to_regclass($2)`;
