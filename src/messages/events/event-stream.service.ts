import { Injectable } from '@nestjs/common';
import { ApiError } from '../../common/errors.js';
import type { Queryable } from '../../database/database.js';
import { Reads } from '../../database/reads.js';
import { EventHorizon } from '../../events/event-horizon.service.js';
import type { EventType } from '../../events/domain/event-types.js';
import { BEGINNING, type Position, WHOLE } from '../../events/position.js';
import { READ_EVENTS, WINDOW } from './event-stream.sql.js';
import { type EventRow, positionOf, type StreamEvent, toEvent } from './message-event.js';

export interface ReadOptions {
  /** Only events of these types; all, if not given. */
  types?: readonly EventType[] | undefined;
  /** Events at most. */
  limit: number;
  /** Another way to PostgreSQL than a read of the tenant, in its turn. */
  reads?: Queryable;
}

export interface EventPage {
  events: StreamEvent[];
  /** Where to read on. */
  next: Position;
  /** Up to where the stream was complete, if it was read to there; null when there may be more. */
  readTo: number | null;
}

/** What comes first in each row: how far was looked. */
interface Look {
  looked: number;
  looked_to: number | null;
  newest: number | null;
  deleted_to: number;
}

/**
 * Reads the events of one tenant in their order. Whoever reads from the same position gets the same events in the same
 * order, and each that is committed, however slowly.
 */
@Injectable()
export class EventStream {
  constructor(
    private readonly horizon: EventHorizon,
    private readonly reads: Reads,
  ) {}

  /**
   * The next events, by one look at a bounded part of the stream: there may be none though `readTo` is null.
   * @param after null for the beginning of what is kept
   * @throws ApiError CURSOR_EXPIRED when events after the position have been deleted, or it is none of this stream;
   * RATE_LIMITED when too many of the tenant's reads are before it
   */
  async read(tenantId: string, after: Position | null, options: ReadOptions): Promise<EventPage> {
    const { types, limit, reads = this.reads.of(tenantId) } = options;
    const from = after ?? BEGINNING;
    const horizon = await this.reach(from);
    const window = types ? WINDOW : limit + 1; // one may have been read already
    const rows = await reads.run<EventRow & Look>(READ_EVENTS, [
      tenantId,
      from.entry,
      from.ordinal,
      horizon,
      limit,
      window,
      types ?? null,
    ]);
    const [look] = rows;
    if (!look) throw new Error('READ_EVENTS has a row always');
    if (after && after.entry < look.deleted_to) throw expired('Events after it are no longer kept.');
    const found = rows.filter(({ entry }) => entry !== null);
    const last = found.at(-1);
    const events = found.map(toEvent);
    if (last && found.length === limit) return { events, next: positionOf(last), readTo: null };
    if (look.looked === window) return { events, next: wholeOf(look.looked_to, from), readTo: null };
    return { events, next: wholeOf(look.newest, from), readTo: horizon };
  }

  /** What has been read is complete: another process may have known that earlier. */
  private async reach(from: Position): Promise<number> {
    const horizon = Math.max(await this.horizon.reach(), from.entry);
    if (from.entry <= this.horizon.last || from.entry <= (await this.horizon.confirmedLast())) return horizon;
    throw expired('It is beyond the end of the stream: the database has been restored to an earlier moment.');
  }
}

/** Behind that entry, never before the position itself. */
function wholeOf(entry: number | null, from: Position): Position {
  return entry === null || entry < from.entry ? from : { entry, ordinal: WHOLE };
}

const expired = (why: string) =>
  new ApiError(
    'CURSOR_EXPIRED',
    `The cursor has expired. ${why} Read without it, from the oldest event on.`,
    [{ field: 'after' }],
  );
