import { Injectable } from '@nestjs/common';
import { Database, type Queryable, type Statement } from '../database/database.js';
import type { PartedByTime, PartedTable } from './parted-tables.js';

/** A partition, for ids from `from` to below `to`; null is without an end. */
export interface Partition {
  name: string;
  from: number | null;
  to: number | null;
}

/** What a partition has in it; `first` and `last` are null where it has nothing. */
export interface PartitionLook {
  first: Date | null;
  last: Date | null;
  isSmall: boolean;
}

/** A partition that is dropped, and the name of the one that has what stays of it. */
interface Part {
  table: PartedTable;
  old: Partition;
  small: string;
}

/** Any fixed number: the key of the lock that those hold who change partitions. */
const CHANGE_LOCK = 7_463_202;

/** Milliseconds for which sends and receipts may have to wait behind a change of partitions. */
const LOCK_PATIENCE = 300;

/** Milliseconds that each step of a change, and the process between two steps, may take while others wait for its end; else it is undone. */
const STANDSTILL = 1_000;

/** Milliseconds for what reads a whole partition. */
const WHOLE_TIMEOUT = 1_800_000;

/** Rows up to which a partition is small: it is not worth a change of partitions. */
const SMALL = 20_000;

const bound = (value: number | null, open: string) => (value === null ? open : `(${value})`);
const rangeOf = ({ from, to }: Partition) =>
  `FOR VALUES FROM ${bound(from, '(MINVALUE)')} TO ${bound(to, '(MAXVALUE)')}`;

/** Milliseconds for anything else, changes of the catalog among it. */
const TIMEOUT = 10_000;

/** A statement that is made for some partition, and so has no name to be prepared under. */
const unnamed = (text: string, timeout = TIMEOUT): Statement => ({ name: '', text, timeout });

/**
 * Reads, makes and drops partitions. A change needs the whole table for some milliseconds: it waits for that for 300 at
 * most, since all who come after wait behind it, and throws then.
 */
@Injectable()
export class PartitionStore {
  constructor(private readonly database: Database) {}

  /** In the order of their ids. The last has no end: no id is ever without a partition. */
  list(table: string, connection: Queryable = this.database): Promise<Partition[]> {
    return connection.run<Partition>(LIST, [table]);
  }

  /** The last id that was given out. */
  async lastId({ sequence }: PartedByTime): Promise<number> {
    const [row] = await this.database.run<{ last: number }>(
      unnamed(`SELECT last_value AS last FROM ${sequence}`),
    );
    return row?.last ?? 0;
  }

  /** When the row with that id, or the next one, was made. */
  async madeAt({ name, key, madeAt }: PartedByTime, id: number): Promise<{ id: number; at: Date } | null> {
    const text = `SELECT ${key} AS id, ${madeAt} AS at FROM ${name} WHERE ${key} >= $1 ORDER BY ${key} LIMIT 1`;
    const [row] = await this.database.run<{ id: number; at: Date }>(unnamed(text), [id]);
    return row ?? null;
  }

  async look({ key, madeAt }: PartedByTime, { name }: Partition): Promise<PartitionLook> {
    const end = (order: string) => `(SELECT ${madeAt} FROM ${name} ORDER BY ${key} ${order} LIMIT 1)`;
    const text = `SELECT ${end('ASC')} AS first, ${end('DESC')} AS last,
      (SELECT count(*) FROM (SELECT FROM ${name} LIMIT ${SMALL + 1}) rows) <= ${SMALL} AS "isSmall"`;
    const [look] = await this.database.run<PartitionLook>(unnamed(text, WHOLE_TIMEOUT));
    if (!look) throw new Error(`${name} could not be looked at`);
    return look;
  }

  /**
   * Ends the last partition of a table at an id, and makes the next one from there on. Rows that are in it already are
   * compared with its end before, while they are still written; none is, if it is done in time.
   * @returns whether it was done; another process may have been before
   */
  async cut(table: PartedTable, at: number): Promise<boolean> {
    const last = (await this.list(table.name)).at(-1);
    if (!last || last.to !== null || at <= (last.from ?? 0)) return false;
    const [row] = await this.database.run(unnamed(`SELECT FROM ${last.name} LIMIT 1`));
    const end = `${table.name}_end`;
    if (row) await this.check(last, end, `${table.key} < ${at}`);
    try {
      return await this.change(async (connection) => {
        const still = (await this.list(table.name, connection)).at(-1);
        if (still?.name !== last.name || still.from !== last.from) return false;
        const next: Partition = { name: `${table.name}_from_${at}`, from: at, to: null };
        await connection.run(unnamed(createLike(table, next.name)));
        // One by one: through a connection pooler, no statement may have several commands.
        for (const command of [
          `ALTER TABLE ${table.name} DETACH PARTITION ${last.name}`,
          `ALTER TABLE ${table.name} ATTACH PARTITION ${last.name} ${rangeOf({ ...last, to: at })}`,
          `ALTER TABLE ${last.name} DROP CONSTRAINT IF EXISTS ${end}`,
          `ALTER TABLE ${table.name} ATTACH PARTITION ${next.name} ${rangeOf(next)}`,
        ])
          await connection.run(unnamed(command, WHOLE_TIMEOUT));
        return true;
      });
    } catch (error) {
      // Else the last partition would have an end after all.
      if (row) await this.database.run(unnamed(`ALTER TABLE ${last.name} DROP CONSTRAINT IF EXISTS ${end}`));
      throw error;
    }
  }

  /** The ids of a partition that are not old yet; null where they are more than `most`. */
  async staying(
    table: PartedByTime,
    { name }: Partition,
    before: Date,
    most: number,
  ): Promise<number[] | null> {
    const text = `SELECT ${table.key} AS id FROM ${name} WHERE (${table.isOld}) IS NOT TRUE LIMIT ${most + 1}`;
    const rows = await this.database.run<{ id: number }>(unnamed(text, WHOLE_TIMEOUT), [before]);
    return rows.length > most ? null : rows.map(({ id }) => id);
  }

  /**
   * Drops a partition, and those of the companions that are not kept. Rows with the given ids move to a new, small one
   * in its place.
   * @returns whether it was done; another process may have been before
   */
  drop(table: PartedByTime, partition: Partition, staying: number[]): Promise<boolean> {
    return this.change(async (connection) => {
      const tables: PartedTable[] = [table, ...table.companions.filter(({ isKept }) => !isKept)];
      const parts: Part[] = [];
      for (const each of tables) {
        const old = (await this.list(each.name, connection)).find(
          ({ from, to }) => from === partition.from && to === partition.to,
        );
        if (!old) return false;
        parts.push({ table: each, old, small: `${old.name}_rest` });
      }
      if (table.guard) {
        const { name, key } = table.guard;
        const text = `DELETE FROM ${name} WHERE ${key} >= $1 AND ${key} < $2 AND ${key} <> ALL($3::bigint[])`;
        await connection.run(unnamed(text, WHOLE_TIMEOUT), [partition.from ?? 0, partition.to, staying]);
      }
      if (table.beforeDrop) await connection.run(table.beforeDrop, [partition.to]);
      if (staying.length > 0) {
        for (const { table: each, small } of parts) await connection.run(unnamed(createLike(each, small)));
        // Locked, so that no receipt changes what is copied.
        const lock = `SELECT FROM ${partition.name} WHERE ${table.key} = ANY($1) FOR UPDATE`;
        await connection.run(unnamed(lock, WHOLE_TIMEOUT), [staying]);
        for (const part of parts) await copy(connection, part, staying);
      }
      // From here on, others wait.
      await connection.run(unnamed(`SET LOCAL statement_timeout = ${STANDSTILL}`));
      for (const { table: each, old: part } of parts)
        await connection.run(unnamed(`ALTER TABLE ${each.name} DETACH PARTITION ${part.name}`));
      for (const part of parts) {
        const { table: each, old: gone, small } = part;
        // Events that came meanwhile.
        if (staying.length > 0 && each !== table) await copy(connection, part, staying, { again: true });
        await connection.run(unnamed(`DROP TABLE ${gone.name}`));
        if (staying.length === 0) continue;
        await connection.run(unnamed(`ALTER TABLE ${small} RENAME TO ${gone.name}`));
        const attach = `ALTER TABLE ${each.name} ATTACH PARTITION ${gone.name} ${rangeOf(gone)}`;
        await connection.run(unnamed(attach));
      }
      return true;
    });
  }

  /** Adds a condition and compares all rows with it, while they are read and written. */
  private async check({ name }: Partition, constraint: string, condition: string): Promise<void> {
    await this.database.run(
      unnamed(
        `ALTER TABLE ${name} DROP CONSTRAINT IF EXISTS ${constraint},
         ADD CONSTRAINT ${constraint} CHECK (${condition}) NOT VALID`,
      ),
    );
    await this.database.run(unnamed(`ALTER TABLE ${name} VALIDATE CONSTRAINT ${constraint}`, WHOLE_TIMEOUT));
  }

  /** Runs a change in one transaction, unless another process is changing partitions. */
  private change(work: (connection: Queryable) => Promise<boolean>): Promise<boolean> {
    return this.database.transaction(async (connection) => {
      await connection.run(unnamed(`SET LOCAL lock_timeout = ${LOCK_PATIENCE}`));
      await connection.run(unnamed(`SET LOCAL idle_in_transaction_session_timeout = ${STANDSTILL}`));
      const [lock] = await connection.run<{ held: boolean }>(LOCK, [CHANGE_LOCK]);
      return lock?.held === true && work(connection);
    });
  }
}

const createLike = ({ name, storage }: PartedTable, partition: string) =>
  `CREATE TABLE ${partition} (LIKE ${name} INCLUDING ALL EXCLUDING IDENTITY) ${storage}`;

/** By the names of the columns: a partition that is older than this way of parting has them in another order. */
async function copy(
  connection: Queryable,
  { table, old, small }: Part,
  keys: number[],
  { again = false } = {},
): Promise<void> {
  const [row] = await connection.run<{ columns: string }>(COLUMNS, [table.name]);
  const missing = again
    ? `AND NOT EXISTS (SELECT FROM ${small} s WHERE s.${table.key} = o.${table.key} AND s.id = o.id)`
    : '';
  const text = `INSERT INTO ${small} (${row?.columns}) SELECT ${row?.columns} FROM ${old.name} o
    WHERE ${table.key} = ANY($1) ${missing}`;
  await connection.run(unnamed(text, WHOLE_TIMEOUT), [keys]);
}

const COLUMNS: Statement = {
  name: 'partitions_columns',
  text: `
    SELECT string_agg(quote_ident(attname), ', ') AS columns FROM pg_attribute
    WHERE attrelid = to_regclass($1::text) AND attnum > 0 AND NOT attisdropped`,
};

const LOCK: Statement = { name: 'partitions_lock', text: 'SELECT pg_try_advisory_xact_lock($1) AS held' };

/** By the catalog's own words for a range, such as `FOR VALUES FROM (MINVALUE) TO ('10000000')`. */
const LIST: Statement = {
  name: 'partitions_list',
  text: `
    SELECT c.oid::regclass::text AS name, (regexp_match(r.range, 'FROM \\(''?(-?\\d+)'))[1]::bigint AS "from",
      (regexp_match(r.range, 'TO \\(''?(-?\\d+)'))[1]::bigint AS "to"
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    CROSS JOIN LATERAL (SELECT pg_get_expr(c.relpartbound, c.oid) AS range) r
    WHERE i.inhparent = to_regclass($1::text) ORDER BY 2 NULLS FIRST`,
};
