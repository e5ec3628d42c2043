import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../database/database.js';
import { KeepersService } from './keepers.service.js';

/** Milliseconds between two looks. */
const CLOCK = 2_000;

/** Rows from which a table is large: the planner uses its indexes anyway, and PostgreSQL's autovacuum suffices. */
const LARGE = 200_000;

/** Milliseconds that one table may take, with its partitions. */
const TIMEOUT = 600_000;

/** How many dead rows a table has at least when it is cleaned; they must also be more than the live ones. */
const MANY_DEAD = 5_000;

/** Seconds between two cleanings: while a long transaction, as of a backup, can read dead rows, none is removed. */
const CLEANING_PAUSE = 10;

/** A table with more pages is left to PostgreSQL's autovacuum. */
const MOST_PAGES = 20_000;

/** With fewer rows, analysing a table gains nothing. */
const LEAST = 1_000;

/**
 * Does for tables that change in seconds what PostgreSQL's autovacuum does only a minute later. It analyses small
 * tables that double every few seconds: until then, a prepared statement keeps the plan for an empty table, and reads
 * all of the table each time. And it cleans tables such as the outbox, whose rows live for seconds: readers have to
 * step over the dead ones. Of partitioned tables as wholes, autovacuum looks at none.
 */
@Injectable()
export class TableCareService {
  constructor(
    private readonly database: Database,
    keepers: KeepersService,
  ) {
    keepers.add({ work: 'looking after tables', interval: CLOCK, look: () => this.look() });
  }

  /** Analyses each small table that has doubled since the last time, and cleans those that are mostly dead rows. */
  async look(): Promise<void> {
    for (const { name } of await this.database.run<{ name: string }>(DEAD, [
      MANY_DEAD,
      MOST_PAGES,
      CLEANING_PAUSE,
    ]))
      await this.maintain('VACUUM', name);
    for (const { name } of await this.database.run<{ name: string }>(DOUBLED, [LARGE, LEAST]))
      await this.maintain('ANALYZE', name);
    for (const { name } of await this.database.run<{ name: string }>(DOUBLED_IN_PARTS, [LEAST]))
      await this.maintain('ANALYZE', name);
  }

  /** Skips a table on which another worker is at work. */
  private async maintain(command: 'VACUUM' | 'ANALYZE', table: string): Promise<void> {
    const text = `${command} (SKIP_LOCKED) ${table}`;
    await this.database.run({ name: `${command.toLowerCase()}_${table}`, text, timeout: TIMEOUT });
  }
}

const DEAD: Statement = {
  name: 'table_care_dead',
  text: `
    SELECT c.oid::regclass::text AS name FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
    WHERE s.schemaname = current_schema() AND s.n_dead_tup > greatest($1, s.n_live_tup) AND c.relpages < $2
      AND coalesce(s.last_vacuum, '-infinity') < now() - make_interval(secs => $3::integer)`,
};

/** Compares numbers of rows rather than of changes: a queue's rows change all the time without becoming more. */
const DOUBLED: Statement = {
  name: 'table_care_doubled',
  text: `
    SELECT c.oid::regclass::text AS name FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
    WHERE s.schemaname = current_schema() AND c.reltuples < $1
      AND s.n_mod_since_analyze > $2 AND s.n_live_tup > greatest($2, 2 * c.reltuples)`,
};

/** Partitioned tables, whose rows are those of their partitions. */
const DOUBLED_IN_PARTS: Statement = {
  name: 'table_care_doubled_in_parts',
  text: `
    SELECT c.oid::regclass::text AS name FROM pg_class c CROSS JOIN LATERAL (
      SELECT sum(s.n_live_tup) AS rows FROM pg_inherits i JOIN pg_stat_user_tables s ON s.relid = i.inhrelid
      WHERE i.inhparent = c.oid
    ) parts
    WHERE c.relkind = 'p' AND c.relnamespace = current_schema()::regnamespace
      AND parts.rows > greatest($1, 2 * c.reltuples)`,
};
