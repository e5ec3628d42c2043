import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import pg from 'pg';
import { within } from '../common/within.js';
import type { Hosts } from './hosts.js';
import { PooledQuery, StandbyError, type Settings, settingStatement } from './pooled-query.js';

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

/** The SQLSTATE with which a server refuses to write. */
const READ_ONLY = '25006';

const PATIENT = {
  connectionTimeoutMillis: CONNECT_TIMEOUT,
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY,
};

/**
 * Plans are made as for an SSD, whatever the server's default: with that of PostgreSQL, small partitions are read from end to
 * end. And no statement runs for as long as it takes to compile it.
 */
const PLANNER: Settings = { random_page_cost: '1.1', jit: 'off' };

/**
 * In seconds, by which PostgreSQL finds out that the host of a caller has vanished without a word, and lets go of its locks. By
 * default it takes two hours.
 */
export const SERVER_KEEPALIVES: Settings = {
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
};

/** For a pool, or a single {@link BoundedClient}. */
export interface BoundedConfig extends pg.ClientConfig {
  /** Through a connection pooler, where sessions are shared: what each transaction sets for itself. */
  settings?: Settings;
  /** Whether statements keep their names, under which the server prepares them. */
  preparedStatements?: boolean;
  /** Where to look for the server that takes writes, instead of at one host. */
  hosts?: Hosts | undefined;
  /** Milliseconds, where it is another than the usual limit; null for none. */
  statementTimeout?: number | null;
}

/** Settings as a connection takes them along. */
export const optionsOf = (settings: Settings): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

/** Sets the limits, and further settings, once for each connection. */
export function boundedSession(settings: Settings = {}): BoundedConfig {
  const further = optionsOf({ ...SERVER_KEEPALIVES, ...PLANNER, ...settings });
  return {
    ...PATIENT,
    lock_timeout: LOCK_TIMEOUT,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT,
    options: `-c client_connection_check_interval=${CALLER_CHECK} ${further}`,
  };
}

/** Sets the same anew in each transaction: a pooler takes no settings with a connection. */
export function boundedTransactions(settings: Settings = {}): BoundedConfig {
  const all = Object.entries({
    lock_timeout: String(LOCK_TIMEOUT),
    idle_in_transaction_session_timeout: String(IDLE_TRANSACTION_TIMEOUT),
    client_connection_check_interval: String(CALLER_CHECK),
    ...PLANNER,
    ...settings,
  });
  // A default would count from the next transaction on.
  const own = all.map(([name, value]) => [name.replace(/^default_transaction/, 'transaction'), value]);
  return { ...PATIENT, settings: Object.fromEntries(own) as Settings };
}

export const BOUNDED = boundedSession();

/** The server has not answered a statement in time: it may have been carried out, or not. */
export class NoAnswerError extends Error {
  /** The code of Node's own errors, so that this counts as a lost connection. */
  readonly code = 'ETIMEDOUT';

  constructor(milliseconds: number) {
    super(`PostgreSQL has not answered within ${milliseconds} ms`);
  }
}

/** The server's process behind a connection. */
export interface Backend {
  id: number;
  /** Seconds since 1970, as text: other processes, also of other servers, may have the same id. */
  startedAt: string;
}

type Connected = (error: Error | null) => void;
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
  /** Once it was asked for. */
  backend: Backend | undefined;
  private readonly isPrepared: boolean;
  private readonly statementTimeout: number | null;
  /** The statement that sets what each transaction needs; undefined where the session has it. */
  private readonly setting: string | undefined;
  private readonly hosts: Hosts | undefined;
  private isStandby = false;

  constructor(config: BoundedConfig = {}) {
    super(config);
    this.isPrepared = config.preparedStatements ?? true;
    const { statementTimeout = STATEMENT_TIMEOUT } = config;
    this.statementTimeout = statementTimeout;
    this.setting = config.settings && settingStatement(config.settings);
    this.neighbours = pools.get(config) ?? new Set();
    pools.set(config, this.neighbours.add(this));
    this.once('end', () => this.neighbours.delete(this));
    this.hosts = config.hosts;
    // Between the pool's own listener and the borrower's, an error that comes together with the greeting has none, and would
    // end the process. The next statement fails with it.
    this.on('error', () => undefined);
    // Told by the server before it takes statements. A pooler tells what it was once told.
    const { connection } = this as unknown as { connection: EventEmitter };
    connection.on('parameterStatus', ({ parameterName, parameterValue }: Record<string, string>) => {
      if (parameterName === 'in_hot_standby' && !this.isPooled) this.isStandby = parameterValue === 'on';
    });
    const connect = this.connect.bind(this) as unknown as () => Promise<void>;
    this.connect = ((tell?: Connected) => {
      const reached = this.reach(connect);
      return tell ? void reached.then(() => tell(null), tell) : reached;
    }) as typeof this.connect;
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
    this.stream.destroy(error);
  }

  /** Whether its connection leads to a pooler, which goes to one of the server's processes after the other. */
  get isPooled(): boolean {
    return this.setting !== undefined;
  }

  /**
   * Connects to the server that takes writes.
   * @throws StandbyError where there is only one host, and it is a standby
   */
  private async reach(connect: () => Promise<void>): Promise<void> {
    let leave: (() => void) | undefined;
    try {
      if (this.hosts) Object.assign(this, await this.hosts.find());
      if (this.stream.destroyed) throw new Error('timeout expired'); // the pool has given it up
      leave = this.hosts?.join(this);
      this.once('end', () => leave?.());
      await connect();
      if (this.isStandby) throw new StandbyError();
      if (this.hosts) this.on('error', () => this.hosts?.doubt());
    } catch (error) {
      this.hosts?.doubt();
      leave?.();
      this.neighbours.delete(this);
      void this.close();
      throw error;
    }
  }

  private get stream(): Socket {
    return (this as unknown as { connection: { stream: Socket } }).connection.stream;
  }

  private bound(query: AnyQuery, [config, ...rest]: unknown[]): unknown {
    const end = this.begin((config as { timeout?: number } | undefined)?.timeout ?? this.statementTimeout);
    const callback = rest.at(-1);
    if (typeof callback === 'function') {
      const answered: Answered = (error, result) => {
        end(error);
        (callback as Answered)(error, result);
      };
      return this.send(query, config, rest.slice(0, -1), answered);
    }
    const answer = this.send(query, config, rest);
    void Promise.resolve(answer).then(() => end(null), end);
    return answer;
  }

  /** Hands the statement to pg: as it is, without its name, or as one that a pooler can pass on. */
  private send(query: AnyQuery, given: unknown, rest: unknown[], answered?: Answered): unknown {
    const config = this.isPrepared ? given : withoutName(given);
    if (this.setting === undefined)
      return answered ? query(config, ...rest, answered) : query(config, ...rest);
    const statement = typeof config === 'string' ? { text: config } : (config as pg.QueryConfig);
    const values = (rest[0] as unknown[] | undefined) ?? statement.values;
    const pooled = new PooledQuery({ ...statement, values }, this.setting, () => this.isInTransaction);
    if (answered) return query(pooled, answered);
    return new Promise((resolve, reject) =>
      query(pooled, (error: Error | null, result: unknown) => (error ? reject(error) : resolve(result))),
    );
  }

  private get isInTransaction(): boolean {
    return this.getTransactionStatus() !== 'I';
  }

  /** @returns a function to be called when the statement has been answered */
  private begin(timeout: number | null): (error: Error | null) => void {
    const sentAt = performance.now();
    let isAnswered = false;
    const late = (limit: number) => isAnswered || this.giveUp(limit, sentAt);
    // Reads what has arrived first: if this process itself stood still, PostgreSQL is not to blame.
    const timer = timeout === null ? undefined : setTimeout(() => setImmediate(late, timeout), timeout);
    this.underWay += 1;
    return (error) => {
      isAnswered = true;
      clearTimeout(timer);
      this.underWay -= 1;
      this.answeredAt = performance.now();
      if (this.hosts && (error as { code?: string } | null)?.code === READ_ONLY) this.hosts.doubt();
    };
  }

  private giveUp(timeout: number, sentAt: number): void {
    const error = new NoAnswerError(timeout);
    for (const each of this.neighbours)
      if (each === this || (each.underWay === 0 && each.answeredAt < sentAt)) each.destroy(error);
  }
}

function withoutName(config: unknown): unknown {
  return typeof config === 'object' && config ? { ...config, name: undefined } : config;
}
