import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Database } from './database.js';
import { CHANNELS, Notifications } from './notifications.js';

/** The time limit behind the notifications, for when the connection that brings them is down. */
const TIME_LIMIT = 4_500;

/**
 * Small in-process caches of rows, made true by PostgreSQL's NOTIFY: who changes a row calls `changed`, and every
 * process forgets it. A value of null (no such row) is not kept.
 */
@Injectable()
export class SharedCaches {
  private readonly caches = new Map<string, LRUCache<string, object>>();

  constructor(
    private readonly database: Database,
    notifications: Notifications,
  ) {
    notifications.on(CHANNELS.changed, (payload) => this.forget(payload));
  }

  /** Makes the cache of that name; `load` reads one row, called once for all who ask for it meanwhile. */
  create<Value extends object>(
    name: string,
    load: (key: string) => Promise<Value | null>,
    max = 10_000,
  ): { get(key: string): Promise<Value | null>; forget(key: string): void } {
    const cache = new LRUCache<string, Value>({
      max,
      ttl: TIME_LIMIT,
      fetchMethod: async (key) => (await load(key)) ?? undefined,
      ignoreFetchAbort: true,
    });
    this.caches.set(name, cache as unknown as LRUCache<string, object>);
    return {
      get: async (key) => cache.get(key) ?? (await cache.fetch(key)) ?? null,
      forget: (key) => void cache.delete(key),
    };
  }

  /** Makes every process forget the entry; without a key, the whole cache. */
  async changed(name: string, key = ''): Promise<void> {
    this.forget(`${name}:${key}`);
    await this.database.notify(CHANNELS.changed, `${name}:${key}`);
  }

  private forget(payload: string | null): void {
    if (payload === null) {
      for (const cache of this.caches.values()) cache.clear();
      return;
    }
    const [name = '', key = ''] = payload.split(/:(.*)/s);
    if (key === '') this.caches.get(name)?.clear();
    else this.caches.get(name)?.delete(key);
  }
}
