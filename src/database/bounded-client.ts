import type { Socket } from 'node:net';
import pg from 'pg';
import { within } from '../common/within.js';

/** Milliseconds that a process waits for a connection: for one of the pool, or for PostgreSQL to take a new one. */
export const CONNECT_TIMEOUT = 2_000;

/** Milliseconds for a statement without a limit of its own. With the wait for a connection, that makes five seconds. */
export const STATEMENT_TIMEOUT = 3_000;

/** Milliseconds that a statement may wait for a lock. Shorter than its limit, so that PostgreSQL names the cause. */
const LOCK_TIMEOUT = 2_500;

/** Milliseconds that a transaction may stay idle: whoever began it is gone, but it still holds its locks. */
const IDLE_TRANSACTION_TIMEOUT = 15_000;

/** Milliseconds between two looks of PostgreSQL whether the caller of a long statement is still there. */
const CALLER_CHECK = 1_000;

/** Milliseconds of silence after which TCP keep-alive asks whether the other side is still there. */
const KEEP_ALIVE_DELAY = 5_000;

/** Milliseconds that a connection gets to end. */
const CLOSE_TIMEOUT = 1_000;

/** For a pool, or a single {@link BoundedClient}. */
export const BOUNDED = {
  connectionTimeoutMillis: CONNECT_TIMEOUT,
  lock_timeout: LOCK_TIMEOUT,
  idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT,
  options: `-c client_connection_check_interval=${CALLER_CHECK}`,
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY,
} as const;

/** The server has not answered a statement in time: it may have been carried out, or not. */
export class NoAnswerError extends Error {
  /** The code of Node's own errors, so that this counts as a lost connection. */
  readonly code = 'ETIMEDOUT';

  constructor(milliseconds: number) {
    super(`PostgreSQL has not answered within ${milliseconds} ms`);
  }
}

type Answered = (error: Error | null, result: unknown) => void;
type AnyQuery = (config: unknown, ...rest: unknown[]) => unknown;

/** The open connections of each pool, by the configuration object from which the pool makes all of them. */
const pools = new WeakMap<object, Set<BoundedClient>>();

/**
 * A connection on which no statement waits for ever. When a host vanishes silently, its connections still look open.
 * So a statement that is not answered in time destroys its connection. It also destroys idle ones of the same pool
 * that have not answered since it was sent, so that later statements do not each wait as long.
 */
export class BoundedClient extends pg.Client {
  private readonly neighbours: Set<BoundedClient>;
  private underWay = 0;
  private answeredAt = performance.now();

  constructor(config: pg.ClientConfig = {}) {
    super(config);
    this.neighbours = pools.get(config) ?? new Set();
    pools.set(config, this.neighbours.add(this));
    this.once('end', () => this.neighbours.delete(this));
    const query = this.query.bind(this) as AnyQuery;
    // Assigned rather than overridden: the method has a dozen overloads, which all come down to this.
    this.query = ((...request: unknown[]) => this.bound(query, request)) as typeof this.query;
  }

  /** Ends the connection with a message to the server, or without one if the server does not answer. */
  async close(): Promise<void> {
    const late = () => new NoAnswerError(CLOSE_TIMEOUT);
    await within(CLOSE_TIMEOUT, this.end(), late).catch((error: Error) => this.destroy(error));
  }

  /** Ends the connection without another word to the server. */
  destroy(error?: Error): void {
    const { connection } = this as unknown as { connection: { stream: Socket } };
    connection.stream.destroy(error);
  }

  private bound(query: AnyQuery, [config, ...rest]: unknown[]): unknown {
    const end = this.begin((config as { timeout?: number } | undefined)?.timeout ?? STATEMENT_TIMEOUT);
    const callback = rest.at(-1);
    if (typeof callback === 'function') {
      const answered: Answered = (error, result) => {
        end();
        (callback as Answered)(error, result);
      };
      return query(config, ...rest.slice(0, -1), answered);
    }
    const answer = query(config, ...rest);
    void Promise.resolve(answer).then(end, end);
    return answer;
  }

  /** @returns a function to be called when the statement has been answered */
  private begin(timeout: number): () => void {
    const sentAt = performance.now();
    let isAnswered = false;
    const timer = setTimeout(
      // Reads what has arrived first: if this process itself stood still, PostgreSQL is not to blame.
      () => setImmediate(() => isAnswered || this.giveUp(timeout, sentAt)),
      timeout,
    );
    this.underWay += 1;
    return () => {
      isAnswered = true;
      clearTimeout(timer);
      this.underWay -= 1;
      this.answeredAt = performance.now();
    };
  }

  private giveUp(timeout: number, sentAt: number): void {
    const error = new NoAnswerError(timeout);
    for (const each of this.neighbours)
      if (each === this || (each.underWay === 0 && each.answeredAt < sentAt)) each.destroy(error);
  }
}
