import { setMaxListeners } from 'node:events';
import { Injectable } from '@nestjs/common';
import { ApiError } from '../../common/errors.js';
import { Turns } from '../../common/turns.js';
import { EventNews } from '../../events/event-news.service.js';
import type { Position } from '../../events/position.js';
import { DrainingService } from '../../http/draining.service.js';
import { type EventPage, EventStream, type ReadOptions } from './event-stream.service.js';

/** Milliseconds for which a page without events is searched for further ones, where nobody waits for them. */
const PATIENCE = 500;

/** Requests of one tenant that may wait for events at the same time, in one process; seconds until one may have ended. */
const MOST_WAITING = 20;
const RETRY_AFTER = 5;

/** Reads events for those who ask for them, and lets them wait for the next. */
@Injectable()
export class EventPull {
  private readonly turns = new Turns({
    atOnce: MOST_WAITING,
    late: () =>
      new ApiError(
        'RATE_LIMITED',
        `${MOST_WAITING} requests are waiting for events already. Try again, or ask without "wait".`,
        [],
        RETRY_AFTER,
      ),
  });

  constructor(
    private readonly stream: EventStream,
    private readonly news: EventNews,
    private readonly draining: DrainingService,
  ) {
    setMaxListeners(0, draining.signal); // one for each who waits
  }

  /**
   * A page of events. If there are none, the first ones that come within `wait` seconds; without a connection to
   * the database meanwhile.
   * @param left says when the caller has gone
   * @throws ApiError as {@link EventStream.read}; RATE_LIMITED when too many of the tenant wait
   */
  async pull(
    tenantId: string,
    after: Position | null,
    { wait, ...options }: ReadOptions & { wait: number },
    left: AbortSignal,
  ): Promise<EventPage> {
    const end = performance.now() + PATIENCE;
    const page = await this.search(tenantId, after, options, () => performance.now() < end);
    if (page.events.length > 0 || wait === 0) return page;
    return this.turns.run(tenantId, 0, () => this.wait(tenantId, page, { wait, ...options }, left));
  }

  /** Reads on while there is nothing on the page but more in the stream. */
  private async search(
    tenantId: string,
    after: Position | null,
    options: ReadOptions,
    mayGoOn: () => boolean,
  ): Promise<EventPage> {
    let page = await this.stream.read(tenantId, after, options);
    while (page.events.length === 0 && page.readTo === null && mayGoOn())
      page = await this.stream.read(tenantId, page.next, options);
    return page;
  }

  private async wait(
    tenantId: string,
    first: EventPage,
    { wait, ...options }: ReadOptions & { wait: number },
    left: AbortSignal,
  ): Promise<EventPage> {
    const over = new AbortController();
    const end = () => over.abort();
    const timer = setTimeout(end, wait * 1_000);
    for (const signal of [left, this.draining.signal])
      if (signal.aborted) end();
      else signal.addEventListener('abort', end);
    try {
      let page = first;
      while (page.events.length === 0 && !over.signal.aborted) {
        if (page.readTo !== null) await this.news.wait(tenantId, page.readTo, over.signal);
        if (left.aborted) return page;
        page = await this.search(tenantId, page.next, options, () => !over.signal.aborted);
      }
      return page;
    } finally {
      clearTimeout(timer);
      for (const signal of [left, this.draining.signal]) signal.removeEventListener('abort', end);
    }
  }
}
