import { afterAll, beforeAll } from '@jest/globals';
import { DataSource, type QueryRunner } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import type { Statement } from '../../src/database/database.js';
import { migrate } from '../../src/database/migrate.js';
import { createTestDatabase, type TestDatabase } from './infrastructure.js';

/** Partitions, and the indexes of partitions, each with the table or index that it is part of. */
const PARTS = 'SELECT inhrelid::regclass::text AS part, inhparent::regclass::text AS whole FROM pg_inherits';

/** A node of a plan from `EXPLAIN (FORMAT JSON)`; only `ANALYZE` gives the actual figures. */
export interface PlanNode {
  'Node Type': string;
  'Parent Relationship'?: string;
  /** Of a partition: the table that it is part of. So is the index. */
  'Relation Name'?: string;
  Partition?: string;
  'Index Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

/** How the plan of a prepared statement is made: for its values, or for any. */
export type PlanMode = 'force_custom_plan' | 'force_generic_plan';

function ofWhole(node: PlanNode, wholes: Map<string, string>): PlanNode {
  const { 'Relation Name': table, 'Index Name': index } = node;
  return {
    ...node,
    ...(table !== undefined && { 'Relation Name': wholes.get(table) ?? table, Partition: table }),
    ...(index !== undefined && { 'Index Name': wholes.get(index) ?? index }),
  };
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** Rows that a node has read, in all of its loops. */
export function rowsReadBy(node: PlanNode): number {
  return ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 1);
}

/** Runs an `EXPLAIN (FORMAT JSON)` of one statement. @returns all nodes of its plan, the topmost first */
export async function explain(
  runner: QueryRunner,
  sql: string,
  values: readonly unknown[] = [],
): Promise<PlanNode[]> {
  const [row] = await runner.query(sql, [...values]);
  const wholes = new Map<string, string>(
    (await runner.query(PARTS)).map(({ part, whole }: { part: string; whole: string }) => [part, whole]),
  );
  return nodesOf(row['QUERY PLAN'][0].Plan).map((node) => ofWhole(node, wholes));
}

/**
 * The plan of a prepared statement, as connections use it.
 * @param valueOf SQL of a value for a parameter, by its place, from 0 on, and its type
 * @param analyze whether the statement is run and rolled back
 */
export async function explainPrepared(
  runner: QueryRunner,
  { text }: Pick<Statement, 'text'>,
  mode: PlanMode,
  valueOf: (place: number, type: string) => string,
  { analyze = false } = {},
): Promise<PlanNode[]> {
  await runner.query(`SET plan_cache_mode = ${mode}`);
  await runner.query(`PREPARE statement AS ${text}`);
  await runner.startTransaction();
  try {
    const [{ types }] = await runner.query(
      `SELECT parameter_types::text[] AS types FROM pg_prepared_statements WHERE name = 'statement'`,
    );
    const values = (types as string[]).map((type, place) => valueOf(place, type));
    const call = values.length > 0 ? `statement (${values.join(', ')})` : 'statement';
    return await explain(runner, `EXPLAIN (${analyze ? 'ANALYZE, ' : ''}FORMAT JSON) EXECUTE ${call}`);
  } finally {
    await runner.rollbackTransaction();
    await runner.query('DEALLOCATE statement');
  }
}

/** A migrated database for the tests of the file, filled by SQL. @returns a function that gives its one connection */
export function useFilledDatabase(fill: string): () => QueryRunner {
  let database: TestDatabase;
  let source: DataSource;
  let runner: QueryRunner;
  beforeAll(async () => {
    database = await createTestDatabase();
    // Without the service's time limits, as filling takes long.
    source = await new DataSource({ ...dataSourceOptions(database.url), extra: {} }).initialize();
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
