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

/** Rows with which a table is grown up: the planner reads it by its indexes, and PostgreSQL looks after it. */
const GROWN = 200_000;

/** Milliseconds that one table may take. */
const ANALYZE_TIMEOUT = 60_000;

/** Changed rows below which nothing is to be gained. */
const LEAST = 1_000;

/**
 * Tells PostgreSQL how large its tables are while they are young and double every few seconds. A prepared statement
 * keeps the plan that was made for an empty table, which reads all of it each time, until the table is analysed; on its
 * own PostgreSQL comes to that a minute later or more.
 */
@Injectable()
export class YoungTables implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(YoungTables.name);
  private readonly looks = new Repeated(
    CLOCK,
    () => this.look(),
    (error) => this.logger.debug(`Tables not analysed: ${error.message}`),
  );

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    this.looks.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.looks.stop();
  }

  /** Analyses each young table that has doubled since the last time. */
  async look(): Promise<void> {
    const tables = await this.database.run<{ name: string }>(DOUBLED, [GROWN, LEAST]);
    for (const { name } of tables) {
      await this.database.run({
        name: `analyze_${name}`,
        text: `ANALYZE (SKIP_LOCKED) ${name}`,
        timeout: ANALYZE_TIMEOUT,
      });
    }
  }
}

const DOUBLED: Statement = {
  name: 'young_tables_doubled',
  text: `
    SELECT c.oid::regclass::text AS name FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
    WHERE s.schemaname = current_schema() AND c.reltuples < $1 AND s.n_mod_since_analyze > greatest($2, c.reltuples)`,
};
