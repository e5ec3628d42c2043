import { Cluster, type Command, Redis, type RedisOptions } from 'ioredis';
import type { Config } from '../config/config.js';
import { parseRedisUrl, type RedisTarget } from '../config/redis-url.js';
import { nodeConnector } from './cluster-node-connector.js';

/**
 * Milliseconds of silence on a connection that owes an answer, after which it is given up and made anew: its server may
 * have vanished. Redis works in memory and close by, and answers within a millisecond.
 */
const SILENCE = 3_000;

/** Milliseconds after which a command has failed, wherever it waits. */
const COMMAND_TIMEOUT = 4_000;

/** Milliseconds for a sentinel to tell the master's address, or for a node of a cluster to tell who has which slots. */
const DIRECTIONS_TIMEOUT = 1_000;

/**
 * Milliseconds until a command is tried again on a cluster whose nodes are failing over. With ioredis' 16 tries at most,
 * a command has failed about when its time is over.
 */
const FAILOVER_PAUSE = 200;

const CLOSED = 'The connection to Redis is closed';

/** Seconds for which Bull waits for a job in one call: each answer shows that the connection lives. */
export const BLOCKING_SECONDS = 1;

const retryStrategy = (times: number) => Math.min(times * 100, 1_000);

const COMMON: RedisOptions = {
  connectTimeout: SILENCE,
  disconnectTimeout: 500,
  keepAlive: 5_000,
  socketTimeout: SILENCE,
  reconnectOnError,
  retryStrategy,
};

/** The options of a connection, by its use. */
const OPTIONS = {
  /** For commands. They fail with their connection, so that nobody waits long while Redis is down. */
  commands: { ...COMMON, maxRetriesPerRequest: 0, commandTimeout: COMMAND_TIMEOUT },
  /** For what others publish. It waits for Redis to come back, as Bull demands. */
  subscriber: { ...COMMON, maxRetriesPerRequest: null, enableReadyCheck: false },
  /** For blocking calls that wait for a queue's next job. It waits for Redis, too. */
  blocking: {
    ...COMMON,
    socketTimeout: SILENCE + BLOCKING_SECONDS * 1_000,
    maxRetriesPerRequest: null,
    enableReadyCheck: false,
  },
} satisfies Record<string, RedisOptions>;

/** One connection, or those to the nodes of a cluster. */
export type RedisClient = Redis | Cluster;

/** What the environment says of Redis. */
export type RedisSettings = Pick<Config, 'REDIS_URL' | 'REDIS_SENTINEL_USERNAME' | 'REDIS_SENTINEL_PASSWORD'>;

/**
 * Connects for commands. No other code makes connections to Redis but this and {@link connectBeside}, so that none lacks
 * TLS, a time limit or reconnection.
 */
export function connectRedis(settings: RedisSettings): RedisClient {
  const target = parseRedisUrl(settings.REDIS_URL);
  if (target.kind === 'cluster') return connectCluster(target);
  const client = connectOne(target, settings, 'commands');
  // While no sentinel answers, ioredis goes on asking, and would keep the commands.
  client.on('error', () => client.status === 'connecting' && failWaiting(client));
  return client;
}

/**
 * Makes a further connection, which is used for one thing only.
 * @param commands the connection for commands, which knows the nodes of a cluster
 * @param key where it has to lead: to the node of a cluster that has this key, at any time; without one to any node
 */
export function connectBeside(
  commands: RedisClient,
  settings: RedisSettings,
  use: 'subscriber' | 'blocking',
  key?: string,
): Redis {
  const target = parseRedisUrl(settings.REDIS_URL);
  if (target.kind !== 'cluster') return connectOne(target, settings, use);
  const options: RedisOptions = { ...OPTIONS[use], ...entryTo(target), reconnectOnError: reconnectOnMove };
  return watched(new Redis({ ...options, Connector: nodeConnector(commands as Cluster, key) }));
}

/** Ends a connection for good: waiting commands fail, and later ones fail at once. */
export function endRedis(client: RedisClient): void {
  client.options.enableOfflineQueue = false;
  client.disconnect();
  // Between two tries to connect, ioredis would leave commands waiting: https://github.com/redis/ioredis/pull/2169
  if (client.status === 'reconnecting' || client.isCluster) failWaiting(client);
}

function connectOne(
  target: Exclude<RedisTarget, { kind: 'cluster' }>,
  settings: RedisSettings,
  use: keyof typeof OPTIONS,
): Redis {
  if (target.kind === 'server') return watched(new Redis(target.href, OPTIONS[use]));
  const { sentinels, master, database, tls } = target;
  return watched(
    new Redis({
      ...OPTIONS[use],
      ...entryTo(target),
      sentinels,
      name: master,
      db: database,
      sentinelUsername: settings.REDIS_SENTINEL_USERNAME,
      sentinelPassword: settings.REDIS_SENTINEL_PASSWORD,
      sentinelCommandTimeout: DIRECTIONS_TIMEOUT,
      sentinelRetryStrategy: retryStrategy,
      ...(tls && { sentinelTLS: {}, enableTLSForSentinelMode: true }),
    }),
  );
}

function connectCluster(target: RedisTarget & { kind: 'cluster' }): Cluster {
  const cluster = new BoundedCluster(target.nodes, {
    clusterRetryStrategy: retryStrategy,
    slotsRefreshTimeout: DIRECTIONS_TIMEOUT,
    retryDelayOnFailover: FAILOVER_PAUSE,
    retryDelayOnClusterDown: FAILOVER_PAUSE,
    // Names stay names: a certificate may be for the name, and not for its address.
    dnsLookup: (name, done) => done(null, name),
    redisOptions: { ...OPTIONS.commands, ...entryTo(target) },
  });
  cluster.setMaxListeners(0); // queues share it
  cluster.on('+node', (node: Redis) => {
    watched(node);
    node.on('ready', () => loadScripts(cluster, node));
  });
  cluster.on('close', () => failWaiting(cluster));
  return cluster;
}

/** A cluster's client whose commands end in time, also while no node is known. ioredis bounds those that a node has. */
class BoundedCluster extends Cluster {
  override sendCommand(command: Command, ...others: [stream?: never, node?: never]): unknown {
    command.setTimeout(COMMAND_TIMEOUT);
    return super.sendCommand(command, ...others);
  }

  /** What waits for the first look at the slots, as transactions do, fails when it will never come. */
  override delayUntilReady(callback: (error?: Error | null) => void): void {
    if (this.options.enableOfflineQueue) super.delayUntilReady(callback);
    else callback(new Error(CLOSED));
  }
}

/**
 * Gives a node all scripts. By itself ioredis sends a script once over each connection: where the node answered that
 * another one has the slot now, it does not have the script when it gets the slot back. A transaction such as Bull's
 * `addBulk` would fail with NOSCRIPT then, for ever. Where the node refuses, scripts are sent as ioredis does.
 */
function loadScripts(cluster: Cluster, node: Redis): void {
  const scripts = Object.values(cluster.scriptsSet as Record<string, { lua: string }>);
  for (const { lua } of scripts) node.script('LOAD', lua).catch(() => undefined);
}

function entryTo({ username, password, tls }: Exclude<RedisTarget, { kind: 'server' }>): RedisOptions {
  return { username, password, ...(tls && { tls: {} }) };
}

function watched(client: Redis): Redis {
  client.setMaxListeners(0); // queues share it
  client.on('connect', () => client.stream.setMaxListeners(0)); // each command that finds a replica ends the connection
  client.on('close', () => forgetSocketTimeout(client));
  return client;
}

function failWaiting(client: RedisClient): void {
  const error = new Error(CLOSED);
  (client as Redis)['flushQueue'](error); // a cluster has it, too
  if (client instanceof Cluster) client['invokeReadyDelayedCallbacks'](error);
}

/** Otherwise the timer ends the next connection instead of its own: https://github.com/redis/ioredis/issues/2147 */
function forgetSocketTimeout(client: Redis): void {
  clearTimeout(client['socketTimeoutTimer']);
  client['socketTimeoutTimer'] = undefined;
}

/**
 * Whether to reconnect: after a fail-over the server is a replica, and the address leads to another one.
 * @returns as ioredis wants it: 1 to connect anew
 */
function reconnectOnError(error: Error): false | 1 {
  return error.message.includes('READONLY') ? 1 : false;
}

/** The same for a connection to the node that has a key: the key may be elsewhere now. */
function reconnectOnMove({ message }: Error): false | 1 {
  return /^(MOVED|READONLY|CLUSTERDOWN) /.test(message) ? 1 : false;
}
