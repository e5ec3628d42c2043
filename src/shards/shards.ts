/*
 * The numbers are divided into shards, so that each number has one dispatcher: the worker that holds its shard
 * (src/shards/shard-leases.service.ts).
 */

/** Shards that there are. An index of the outbox begins with a number's shard: to change this takes a migration. */
export const SHARDS = 64;

/** The shard of a number, by the id of its row. */
export function shardOf(messagingAccountId: number): number {
  return messagingAccountId % SHARDS;
}

/** The same in SQL, as the index has it. */
export const shardSql = (id: string) => `${id} % ${SHARDS}`;

/** In SQL: that a row of the outbox is of that number, found by its shard first, as the index is. */
export const isOfNumber = (row: string, id: string) =>
  `${shardSql(`${row}messaging_account_id`)} = ${shardSql(id)} AND ${row}messaging_account_id = ${id}`;
