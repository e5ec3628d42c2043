import { Redis, type RedisOptions } from 'ioredis';

/**
 * Milliseconds of silence on a connection that owes an answer, after which it is given up and made anew: its server may
 * have vanished. Redis works in memory and close by, and answers within a millisecond.
 */
const SILENCE = 3_000;

/** Milliseconds after which a command has failed, wherever it waits. */
const COMMAND_TIMEOUT = 4_000;

/** Seconds for which Bull waits for a job in one call: each answer shows that the connection lives. */
export const BLOCKING_SECONDS = 1;

const COMMON: RedisOptions = {
  connectTimeout: SILENCE,
  disconnectTimeout: 500,
  keepAlive: 5_000,
  socketTimeout: SILENCE,
  reconnectOnError,
  retryStrategy: (times) => Math.min(times * 100, 1_000),
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

/**
 * Makes a connection to Redis. No other code does, so that none lacks TLS, a time limit or reconnection.
 * @param url redis:// or rediss://, with user, password and database
 */
export function connectRedis(url: string, use: keyof typeof OPTIONS): Redis {
  const { href } = new URL(url); // ioredis would take REDISS:// for a plain connection
  const client = new Redis(href, OPTIONS[use]);
  client.setMaxListeners(0); // queues share it
  client.on('close', () => forgetSocketTimeout(client));
  return client;
}

/** Ends a connection for good: waiting commands fail, and later ones fail at once. */
export function endRedis(client: Redis): void {
  client.options.enableOfflineQueue = false;
  client.disconnect();
  // Between two tries to connect, ioredis would leave commands waiting: https://github.com/redis/ioredis/pull/2169
  if (client.status === 'reconnecting') client['flushQueue'](new Error('The connection to Redis is closed'));
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
