import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Database, type Queryable } from './database.js';
import { CHANNELS, Notifications } from './notifications.js';

/** Milliseconds after which rows are read again, in case the connection for notifications is down. */
const TIME_LIMIT = 4_500;

/** Milliseconds after which a row that was asked for is renewed, and how often they are looked through for that. */
const RENEWED_AFTER = 3_000;
const LOOK = 500;

/** Rows of one cache that are renewed at once: their reads must leave room for those that a request waits for. */
const MOST_RENEWED = 1_000;

/** Rows in one cache. */
const MOST_ROWS = 10_000;

/** A row as it was read, or that there is none. */
interface Known<Value> {
  key: string;
  row: Value | null;
  /** By `performance.now()`. */
  readAt: number;
  /** Whether anybody has asked for it since. */
  isUsed: boolean;
}

/** Reads one row. @param previous the row as it was known, where it is renewed */
type Load<Value> = (key: string, previous?: Value | null) => Promise<Value | null>;

export interface CacheOptions {
  /** For how many keys to remember that they have no row; whoever adds a row then has to call `changed`. */
  absent?: number;
  /**
   * Whether what is in use is read anew before its time is over, so that nobody waits for it. For loads that share a
   * statement when they come together (see gatheredReads): all that is due is read at once.
   */
  renews?: boolean;
}

/** What is done with all caches together. */
interface Kept {
  /** Without a key, all rows are forgotten. */
  forget(key?: string): void;
  /** Rows that are remembered, those included that are too old to be used. */
  size(): number;
  /** Begins to read anew what is in use and was read before this moment, by `performance.now()`. */
  renew(before: number): void;
  /** Lets rows go that are too old: else they stay in memory until there are too many. */
  purge(): void;
}

/**
 * Small in-process caches of rows, made true by PostgreSQL's NOTIFY: who changes a row calls `changed`, and every
 * process forgets it.
 */
@Injectable()
export class SharedCaches implements OnModuleDestroy {
  private readonly caches = new Map<string, Kept>();
  private readonly purges = setInterval(() => this.purge(), TIME_LIMIT).unref();
  private readonly renewals = setInterval(() => this.renew(), LOOK).unref();

  constructor(
    private readonly database: Database,
    notifications: Notifications,
  ) {
    notifications.on(CHANNELS.changed, (payload) => this.forget(payload));
  }

  onModuleDestroy(): void {
    clearInterval(this.purges);
    clearInterval(this.renewals);
  }

  /** Rows that all caches remember. */
  get size(): number {
    return [...this.caches.values()].reduce((sum, cache) => sum + cache.size(), 0);
  }

  /**
   * Makes the cache of that name. `load` reads one row, once for all who ask for it meanwhile. If a row is forgotten
   * while it is being read, those who have asked get it, but it is not kept.
   */
  create<Value extends object>(
    name: string,
    load: Load<Value>,
    options: CacheOptions = {},
  ): { get(key: string): Promise<Value | null>; forget(key: string): void } {
    const cache = new RowCache(load, options);
    this.caches.set(name, cache);
    return cache;
  }

  /**
   * Makes every process forget the entry; without a key, the whole cache.
   * @param connection of the transaction that changes the row: it is forgotten when that commits
   */
  async changed(name: string, key = '', connection?: Queryable): Promise<void> {
    this.forget(`${name}:${key}`);
    await this.database.notify(CHANNELS.changed, `${name}:${key}`, connection);
  }

  private forget(payload: string | null): void {
    if (payload === null) {
      for (const cache of this.caches.values()) cache.forget();
      return;
    }
    const [name = '', key = ''] = payload.split(/:(.*)/s);
    this.caches.get(name)?.forget(key === '' ? undefined : key);
  }

  private purge(): void {
    for (const cache of this.caches.values()) cache.purge();
  }

  private renew(): void {
    for (const cache of this.caches.values()) cache.renew(performance.now() - RENEWED_AFTER);
  }
}

/** One of them. Public methods are those of `create` and of Kept. */
export class RowCache<Value extends object> implements Kept {
  private readonly rows = new LRUCache<string, Known<Value>>({ max: MOST_ROWS, ttl: TIME_LIMIT });
  private readonly missing: LRUCache<string, Known<Value>> | undefined;
  /** Not the library's `fetch`: if a key that has no row is forgotten during the read, it fails those who have asked. */
  private readonly reads = new Map<string, Promise<Value | null>>();
  /** What is to be looked at for renewal, in the order in which it was read. */
  private line: Known<Value>[] = [];

  constructor(
    private readonly load: Load<Value>,
    private readonly options: CacheOptions,
  ) {
    const { absent = 0 } = options;
    if (absent > 0) this.missing = new LRUCache({ max: absent, ttl: TIME_LIMIT });
  }

  async get(key: string): Promise<Value | null> {
    const known = this.rows.get(key) ?? this.missing?.get(key);
    if (!known) return this.reads.get(key) ?? this.read(key);
    known.isUsed = true;
    return known.row;
  }

  forget(key?: string): void {
    for (const map of [this.rows, this.missing, this.reads])
      if (key === undefined) map?.clear();
      else map?.delete(key);
  }

  size(): number {
    return this.rows.size + (this.missing?.size ?? 0);
  }

  purge(): void {
    this.rows.purgeStale();
    this.missing?.purgeStale();
  }

  renew(before: number): void {
    const younger = this.line.findIndex(({ readAt }) => readAt >= before);
    const due = this.line.splice(0, younger === -1 ? this.line.length : younger);
    for (const known of due.slice(0, MOST_RENEWED)) {
      const { key, row, isUsed } = known;
      const isCurrent = (this.rows.peek(key) ?? this.missing?.peek(key)) === known;
      // If it fails, the row stays until its time is over; then whoever asks is told why.
      if (isUsed && isCurrent && !this.reads.has(key)) this.read(key, row).catch(() => undefined);
    }
  }

  private async read(key: string, previous?: Value | null): Promise<Value | null> {
    const reading = this.load(key, previous);
    this.reads.set(key, reading);
    try {
      const row = await reading;
      if (this.reads.get(key) === reading) this.keep(key, row);
      return row;
    } finally {
      if (this.reads.get(key) === reading) this.reads.delete(key);
    }
  }

  private keep(key: string, row: Value | null): void {
    const known = { key, row, readAt: performance.now(), isUsed: false };
    this.rows.delete(key);
    this.missing?.delete(key);
    if (row) this.rows.set(key, known);
    else this.missing?.set(key, known);
    if (this.options.renews && (row || this.missing)) this.line.push(known);
  }
}
