import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Database, type Queryable } from './database.js';
import { CHANNELS, Notifications } from './notifications.js';

/** Milliseconds after which rows are read again, in case the connection for notifications is down. */
const TIME_LIMIT = 4_500;

/** Rows in one cache. */
const MOST_ROWS = 10_000;

/** What is done with all caches together. */
interface Kept {
  forget: Forget;
  /** Rows that are remembered, those included that are too old to be used. */
  size(): number;
  /** Lets rows go that are too old: else they stay in memory until there are too many. */
  purge(): void;
}

/** Makes a cache forget one entry; without a key, all of them. */
type Forget = (key?: string) => void;

/**
 * Small in-process caches of rows, made true by PostgreSQL's NOTIFY: who changes a row calls `changed`, and every
 * process forgets it.
 */
@Injectable()
export class SharedCaches implements OnModuleDestroy {
  private readonly caches = new Map<string, Kept>();
  private readonly purges = setInterval(() => this.purge(), TIME_LIMIT).unref();

  constructor(
    private readonly database: Database,
    notifications: Notifications,
  ) {
    notifications.on(CHANNELS.changed, (payload) => this.forget(payload));
  }

  onModuleDestroy(): void {
    clearInterval(this.purges);
  }

  /** Rows that all caches remember. */
  get size(): number {
    return [...this.caches.values()].reduce((sum, cache) => sum + cache.size(), 0);
  }

  /**
   * Makes the cache of that name. `load` reads one row, once for all who ask for it meanwhile. If a row is forgotten
   * while it is being read, those who have asked get it, but it is not kept.
   * @param options `absent`: for how many keys to remember that they have no row; whoever adds a row then has to call
   * `changed`
   */
  create<Value extends object>(
    name: string,
    load: (key: string) => Promise<Value | null>,
    { absent = 0 } = {},
  ): { get(key: string): Promise<Value | null>; forget(key: string): void } {
    const rows = new LRUCache<string, Value>({ max: MOST_ROWS, ttl: TIME_LIMIT });
    const missing = absent > 0 ? new LRUCache<string, true>({ max: absent, ttl: TIME_LIMIT }) : undefined;
    // Not the library's `fetch`: if a key that has no row is forgotten during the read, it fails those who have asked.
    const reads = new Map<string, Promise<Value | null>>();
    const read = async (key: string) => {
      const reading = load(key);
      reads.set(key, reading);
      try {
        const row = await reading;
        if (reads.get(key) === reading) {
          if (row) rows.set(key, row);
          else missing?.set(key, true);
        }
        return row;
      } finally {
        if (reads.get(key) === reading) reads.delete(key);
      }
    };
    const forget: Forget = (key) => {
      for (const map of [rows, missing, reads])
        if (key === undefined) map?.clear();
        else map?.delete(key);
    };
    const maps = [rows, ...(missing ? [missing] : [])];
    this.caches.set(name, {
      forget,
      size: () => maps.reduce((sum, map) => sum + map.size, 0),
      purge: () => maps.forEach((map) => map.purgeStale()),
    });
    const get = async (key: string) =>
      rows.get(key) ?? (missing?.has(key) ? null : (reads.get(key) ?? read(key)));
    return { get, forget };
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
      for (const { forget } of this.caches.values()) forget();
      return;
    }
    const [name = '', key = ''] = payload.split(/:(.*)/s);
    this.caches.get(name)?.forget(key === '' ? undefined : key);
  }

  private purge(): void {
    for (const cache of this.caches.values()) cache.purge();
  }
}
