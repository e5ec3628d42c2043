import type { Pool, PoolClient } from 'pg';
import type { PartedTable } from '../../src/scheduling/parted-tables.js';
import { PARTED_ROWS } from './rows.sql.js';

/** A partition to be filled, with ids from `from` to below `to`; null is without an end. */
export interface Part {
  table: PartedTable;
  from: number | null;
  to: number | null;
  /** The numbers of its first and its last row, or of the messages that its rows belong to; null for none. */
  rows: [first: number, last: number] | null;
}

export const nameOf = ({ table, from }: Part) => `${table.name}_from_${from ?? 0}`;

/**
 * Makes a partition as the service makes them. It is filled by itself, gets its indexes when it is full, and becomes a part
 * of its table at the end: so nothing is written twice, and nobody waits for another's part.
 * @param fill the fill's facts, as JSON
 */
export async function fillPart(client: PoolClient, part: Part, fill: string): Promise<void> {
  const { table, from, to, rows } = part;
  const name = nameOf(part);
  await client.query(`CREATE TABLE ${name} (LIKE ${table.name} INCLUDING ALL EXCLUDING IDENTITY EXCLUDING INDEXES)
    ${table.storage}`);
  // With it, nothing is compared when it becomes a part.
  const bounds = [
    from === null ? [] : `${table.key} >= ${from}`,
    to === null ? [] : `${table.key} < ${to}`,
  ].flat();
  await client.query(
    `ALTER TABLE ${name} ADD CONSTRAINT ${name}_bounds CHECK (${bounds.join(' AND ') || 'true'})`,
  );
  const text = PARTED_ROWS[table.name]?.(name);
  if (rows && text) await client.query(text, [...rows, fill]);
  const { rows: indexes } = await client.query<{ text: string }>(INDEXES, [table.name, name]);
  for (const index of indexes) await client.query(index.text);
  const range = `FROM (${from ?? 'MINVALUE'}) TO (${to ?? 'MAXVALUE'})`;
  await client.query(`ALTER TABLE ${table.name} ATTACH PARTITION ${name} FOR VALUES ${range}`);
  await client.query(`ALTER TABLE ${name} DROP CONSTRAINT ${name}_bounds`);
}

/** What makes the indexes of table $1 for the part $2; a key comes as the constraint that it is. */
const INDEXES = `
  SELECT CASE WHEN c.oid IS NULL
      THEN regexp_replace(pg_get_indexdef(x.indexrelid), 'INDEX \\S+ ON (ONLY )?\\S+', format('INDEX ON %I', $2::text))
    ELSE format('ALTER TABLE %I ADD %s', $2::text, pg_get_constraintdef(c.oid)) END AS text
  FROM pg_index x LEFT JOIN pg_constraint c ON c.conindid = x.indexrelid AND c.contype IN ('p', 'u')
  WHERE x.indrelid = to_regclass($1)`;

/** Removes the partitions of a table, which must be empty. */
export async function removeParts(client: Pool, table: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = to_regclass($1)',
    [table],
  );
  for (const { name } of rows) {
    const { rows: some } = await client.query(`SELECT FROM ${name} LIMIT 1`);
    if (some.length > 0) throw new Error(`${name} has rows`);
    await client.query(`DROP TABLE ${name}`);
  }
}
