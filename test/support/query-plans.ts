import { afterAll, beforeAll } from '@jest/globals';
import { DataSource, type QueryRunner } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import { migrate } from '../../src/database/migrate.js';
import { createTestDatabase, type TestDatabase } from './infrastructure.js';

/** A node of a plan, as `EXPLAIN (FORMAT JSON)` tells it; the actual figures are there with `ANALYZE` only. */
export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows'?: number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** Runs an `EXPLAIN (FORMAT JSON)` of one statement. @returns all nodes of its plan, the topmost first */
export async function explain(
  runner: QueryRunner,
  sql: string,
  values: readonly unknown[] = [],
): Promise<PlanNode[]> {
  const [row] = await runner.query(sql, [...values]);
  return nodesOf(row['QUERY PLAN'][0].Plan);
}

/** A migrated database for the tests of the file, filled by some SQL. @returns what gives its one connection */
export function useFilledDatabase(fill: string): () => QueryRunner {
  let database: TestDatabase;
  let source: DataSource;
  let runner: QueryRunner;
  beforeAll(async () => {
    database = await createTestDatabase();
    source = await new DataSource(dataSourceOptions(database.url)).initialize();
    await migrate(source);
    runner = source.createQueryRunner();
    await runner.query(fill);
  });
  afterAll(async () => {
    await runner.release();
    await source.destroy();
    await database.drop();
  });
  return () => runner;
}
