import { Redis, type RedisOptions } from 'ioredis';

/**
 * Milliseconds: a connection that owes an answer, and on which nothing has come for so long, is given up and made anew,
 * as its server may have vanished without a word. In memory and beside us, Redis answers in one.
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

/** What is asked of a connection, by what it is for. */
const OPTIONS = {
  /** Asks and is answered. With its connection a command fails, and nobody waits long while Redis is out. */
  commands: { ...COMMON, maxRetriesPerRequest: 0, commandTimeout: COMMAND_TIMEOUT },
  /** Hears what others publish. It waits for Redis to come back, as Bull demands. */
  subscriber: { ...COMMON, maxRetriesPerRequest: null, enableReadyCheck: false },
  /** Waits for a queue's next job, in calls that block. The same. */
  blocking: {
    ...COMMON,
    socketTimeout: SILENCE + BLOCKING_SECONDS * 1_000,
    maxRetriesPerRequest: null,
    enableReadyCheck: false,
  },
} satisfies Record<string, RedisOptions>;

/**
 * Makes a connection to Redis: no other place does, so that none forgets TLS, a time limit, or to come back.
 * @param url redis:// or rediss://, with user, password and database
 */
export function connectRedis(url: string, use: keyof typeof OPTIONS): Redis {
  const { href } = new URL(url); // ioredis would take REDISS:// for a plain connection
  const client = new Redis(href, OPTIONS[use]);
  client.setMaxListeners(0); // queues share it
  client.on('close', () => forgetSocketTimeout(client));
  return client;
}

/** Ends a connection for good: what waits on it fails, and what comes fails at once. */
export function endRedis(client: Redis): void {
  client.options.enableOfflineQueue = false;
  client.disconnect();
  // Between two tries to connect, ioredis would leave it open: https://github.com/redis/ioredis/pull/2169
  if (client.status === 'reconnecting') client['flushQueue'](new Error('The connection to Redis is closed'));
}

/** Else it ends the next connection in place of its own: https://github.com/redis/ioredis/issues/2147 */
function forgetSocketTimeout(client: Redis): void {
  clearTimeout(client['socketTimeoutTimer']);
  client['socketTimeoutTimer'] = undefined;
}

/**
 * Whether to connect anew, to what the address means by now: the server has become a replica by a fail-over.
 * @returns as ioredis wants it: 1 to connect anew
 */
function reconnectOnError(error: Error): false | 1 {
  return error.message.includes('READONLY') ? 1 : false;
}
