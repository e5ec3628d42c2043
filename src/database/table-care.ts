import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Repeated } from '../common/repeated.js';
import { Database, type Statement } from './database.js';

/** Milliseconds between two looks. */
const CLOCK = 2_000;

/** Rows from which a table counts as large: the planner reads it by its indexes, and PostgreSQL looks after it. */
const LARGE = 200_000;

/** Milliseconds that one table may take. */
const TIMEOUT = 60_000;

/** Dead rows from which a table that has more of them than live ones is cleaned. */
const MANY_DEAD = 5_000;

/** Seconds between two times: while somebody still reads the dead rows, as a backup does, none can be cleaned away. */
const CLEANING_PAUSE = 10;

/** Pages of such a table at most: of larger ones, PostgreSQL takes care in its own time. */
const MOST_PAGES = 20_000;

/** Rows below which nothing is to be gained. */
const LEAST = 1_000;

/**
 * Does for tables that change in seconds what PostgreSQL itself does a minute later. Tells it how large tables are while
 * they are small and double every few seconds: a prepared statement keeps the plan that was made for an empty table, which
 * reads all of it each time, until the table is analysed. And cleans the outbox, whose rows live for seconds: what looks
 * into it steps over the dead ones.
 */
@Injectable()
export class TableCare implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(TableCare.name);
  private readonly looks = new Repeated(
    CLOCK,
    () => this.look(),
    (error) => this.logger.debug(`Tables not looked after: ${error.message}`),
  );

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    this.looks.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.looks.stop();
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
  }

  /** Not what another worker is at. */
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

/** By the rows that they have: the rows of a queue change all the time without there being more of them. */
const DOUBLED: Statement = {
  name: 'table_care_doubled',
  text: `
    SELECT c.oid::regclass::text AS name FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
    WHERE s.schemaname = current_schema() AND c.reltuples < $1
      AND s.n_mod_since_analyze > $2 AND s.n_live_tup > greatest($2, 2 * c.reltuples)`,
};
