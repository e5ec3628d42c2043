import { afterAll, beforeAll } from '@jest/globals';
import { DataSource, type QueryRunner } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import type { Statement } from '../../src/database/database.js';
import { BOUNDED } from '../../src/database/bounded-client.js';
import { migrate } from '../../src/database/migrate.js';
import { createTestDatabase, type TestDatabase } from './infrastructure.js';

/** Partitions, and the indexes of partitions, each with the table or index that it is part of. */
const PARTS = 'SELECT inhrelid::regclass::text AS part, inhparent::regclass::text AS whole FROM pg_inherits';

/** A node of a plan from `EXPLAIN (FORMAT JSON)`; only `ANALYZE` gives the actual figures. */
export interface PlanNode {
  'Node Type': string;
  'Parent Relationship'?: string;
  /** Of a node that changes rows. */
  Operation?: 'Insert' | 'Update' | 'Delete' | 'Merge';
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

const PARTITION = /_(from_\d+|last)$/;

/** Nodes that have read all their rows before they give the first one, or keep them for later. */
const AHEAD = /Sort|^Hash$|Materialize|Memoize|Aggregate|WindowAgg|Gather/;

/** The nodes whose rows are looked at again when one was changed meanwhile. */
const partsOf = ({ Plans = [] }: PlanNode) =>
  Plans.filter(({ 'Parent Relationship': part }) => part !== 'InitPlan');

const readsPartition = (node: PlanNode): boolean =>
  PARTITION.test(node['Relation Name'] ?? '') || partsOf(node).some(readsPartition);

/** Whether a node chooses partitions anew for each row, of a join or of a subquery, and has read ahead where that matters. */
function choosesPartitions(node: PlanNode, isAhead: boolean): boolean {
  const ahead = isAhead || AHEAD.test(node['Node Type']);
  return partsOf(node).some((part) => {
    const byRow =
      part['Parent Relationship'] === 'SubPlan' ||
      (part['Parent Relationship'] === 'Inner' && node['Node Type'] === 'Nested Loop');
    return (byRow && ahead && readsPartition(part)) || choosesPartitions(part, ahead);
  });
}

/**
 * The nodes of a plan that PostgreSQL 18 may have go wrong: they lock or change rows, and look at a row that was changed
 * meanwhile once more, in partitions that had been chosen for another row (src/messages/receipts/lock-told.sql.ts).
 */
export const unsafeLocks = (nodes: PlanNode[]): string[] =>
  nodes
    .filter(
      (node) =>
        (node['Node Type'] === 'LockRows' && choosesPartitions(node, true)) ||
        (['Update', 'Delete'].includes(node.Operation ?? '') && choosesPartitions(node, false)),
    )
    .map((node) => `${node.Operation ?? 'Lock'} ${node['Relation Name'] ?? ''}`.trim());

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
    source = await new DataSource({
      ...dataSourceOptions(database.url),
      extra: { options: BOUNDED.options },
    }).initialize();
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
