import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Statement } from '../database/database.js';
import { Reads } from '../database/reads.js';
import { EventHorizon } from './event-horizon.service.js';

/** Milliseconds between two looks while somebody waits. */
const LOOK = 200;

/** Entries that one statement looks at. */
const WINDOW = 1_000;

interface Waiting {
  tenantId: string;
  wake: () => void;
}

/** Lets those wait who have read all there is: one look at the stream is for all of them, and only while there are any. */
@Injectable()
export class EventNews implements BeforeApplicationShutdown {
  private readonly logger = new Logger(EventNews.name);
  private readonly waiting = new Set<Waiting>();
  /** Up to where all who wait have been told. */
  private told = 0;
  private looking: Promise<void> | undefined;
  private stopped = false;

  constructor(
    private readonly horizon: EventHorizon,
    private readonly reads: Reads,
  ) {}

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    for (const { wake } of this.waiting) wake();
    await this.looking;
  }

  /**
   * Resolves when the tenant has an event after the position, or the signal says so. It may also do so without an event.
   * @param after up to where the caller has read, as a horizon
   */
  async wait(tenantId: string, after: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.stopped) return;
    if (!this.looking) this.told = Math.min(after, this.horizon.position);
    if (after < this.told) return;
    await new Promise<void>((resolve) => {
      const wake = () => {
        this.waiting.delete(waiting);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const waiting: Waiting = { tenantId, wake };
      signal.addEventListener('abort', wake);
      this.waiting.add(waiting);
      this.looking ??= this.look().finally(() => (this.looking = undefined));
    });
  }

  /** The tenants that have entries after the position, up to a horizon. */
  async tenantsBetween(after: number, horizon: number): Promise<Set<string>> {
    const tenants = new Set<string>();
    for (let from = after; from < horizon;) {
      const [found] = await this.reads.run<{ tenants: string[] | null; last: number | null }>(NEWS, [
        from,
        horizon,
      ]);
      for (const tenant of found?.tenants ?? []) tenants.add(tenant);
      from = found?.last ?? horizon;
    }
    return tenants;
  }

  private async look(): Promise<void> {
    while (this.waiting.size > 0 && !this.stopped) {
      await delay(LOOK);
      try {
        await this.horizon.look();
        await this.tell(this.horizon.position);
      } catch (error) {
        this.logger.debug(`No look at the events: ${(error as Error).message}`); // the next may succeed
      }
    }
  }

  private async tell(horizon: number): Promise<void> {
    if (horizon === this.told) return;
    // When the stream has gone back, all look for themselves: to read it from its beginning would take long.
    const isFurther = this.told > 0 && horizon > this.told;
    const tenants = isFurther ? await this.tenantsBetween(this.told, horizon) : null;
    this.told = horizon;
    for (const { tenantId, wake } of this.waiting) if (!tenants || tenants.has(tenantId)) wake();
  }
}

/** By the primary key, up to $2. */
export const NEWS: Statement = {
  name: 'events_news',
  text: `
    SELECT array_agg(DISTINCT tenant_id) AS tenants, max(id) AS last FROM (
      SELECT tenant_id, id FROM event_stream WHERE id > $1 AND id <= $2 ORDER BY id LIMIT ${WINDOW}
    ) newest`,
};
