import type { RedisClient } from '../../database/redis-client.js';

/**
 * The hash tag of a number's keys. Scripts use several keys of one number, so these have to be in one slot of a cluster;
 * those of other numbers are in other slots, as each node has to have its part. Without a cluster, all keep the one tag
 * that they have always had: while a new version takes over, its workers and the former ones share each number's rate.
 */
const tagOf = ({ isCluster }: RedisClient, messagingAccountId: number) =>
  isCluster ? `{tms:${messagingAccountId}}` : '{tms}';

/** Where Redis keeps a number's bucket. */
export function numberKey(client: RedisClient, messagingAccountId: number): string {
  return `${tagOf(client, messagingAccountId)}:rate:${messagingAccountId}`;
}

/** Where Redis keeps how much a recipient may get from a number. */
export function pairKey(client: RedisClient, messagingAccountId: number, phone: string): string {
  return `${tagOf(client, messagingAccountId)}:pair:${messagingAccountId}:${phone}`;
}

/** Where Redis counts how often in a row the provider has refused messages to a recipient. */
export function pairRefusalsKey(client: RedisClient, messagingAccountId: number, phone: string): string {
  return `${pairKey(client, messagingAccountId, phone)}:refusals`;
}
