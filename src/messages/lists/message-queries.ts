import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Database, type Queryable, type Statement } from '../../database/database.js';
import { Reads } from '../../database/reads.js';
import type { PagePosition } from '../../http/cursor.js';
import type { MessageEventDto, MessageRecord, MessageSummary } from '../dto/message-record.dto.js';
import {
  type MessageFilter,
  needsWindow,
  type PageRequest,
  searchStatement,
  windowEndStatement,
} from './message-list.sql.js';
import { SHOWN_DETAILS } from '../event-details.js';
import { columns, type MessageRow, toSummary } from './message-row.js';

interface EventRow {
  event: string;
  occurred_at: Date;
  recorded_at: Date;
  details: Record<string, unknown> | null;
}

/** A page of messages, newest first. */
export interface MessagePage {
  messages: MessageSummary[];
  /** Where the next one begins; null at the end. */
  next: PagePosition | null;
}

/** Both in milliseconds. */
export interface SearchOptions {
  /** For which a page that is not full is searched further. */
  patience?: number;
  /** For which other reads of the tenant may keep it waiting; a little, if not given. */
  wait?: number;
}

/** A page that may have ended before it was full. */
export interface SearchPage extends MessagePage {
  /** The search stopped here, and goes on with `next`; null when it did not stop. */
  searchedTo: Date | null;
}

/** Reads message log records of one tenant. */
@Injectable()
export class MessageQueries {
  constructor(
    private readonly database: Database,
    private readonly reads: Reads,
    private readonly clock: Clock,
  ) {}

  /** The record with its events, or null when the tenant has no such message. */
  async find(tenantId: string, id: number): Promise<MessageRecord | null> {
    const [row] = await this.database.run<MessageRow>(FIND, [tenantId, id, this.clock.now()]);
    if (!row) return null;
    const events = await this.database.run<EventRow>(EVENTS, [id]);
    const summary = toSummary(row, this.clock.now());
    const accepted = {
      event: 'accepted',
      occurred_at: summary.created_at,
      recorded_at: summary.created_at,
      details: null,
    };
    return { ...summary, events: [accepted, ...events.map(toEvent)] };
  }

  /**
   * A page of the tenant's messages, newest first. Never for long: where no index knows what fits, it looks at some of
   * the rows only, and goes on to further ones while the page is not full, the patience lasts, and no other read of the
   * tenant has to wait.
   * @throws ApiError RATE_LIMITED when too many of the tenant's reads are before it
   */
  async search(
    tenantId: string,
    filter: MessageFilter,
    limit: number,
    after: PagePosition | null,
    { patience = 0, wait }: SearchOptions = {},
  ): Promise<SearchPage> {
    const started = performance.now();
    const messages: MessageSummary[] = [];
    for (let from = after; ;) {
      const missing = limit - messages.length;
      const request = { tenantId, filter, limit: missing, after: from, now: this.clock.now() };
      const page = await this.reads.turn(tenantId, (reads) => this.window(request, reads), wait);
      messages.push(...page.messages);
      from = page.next;
      if (!from || messages.length === limit) return { messages, next: from, searchedTo: null };
      if (performance.now() - started >= patience || this.reads.isBusy(tenantId))
        return { messages, next: from, searchedTo: from.createdAt };
    }
  }

  /** What fits within one window, and where to go on after it. */
  private async window(request: PageRequest, reads: Queryable): Promise<MessagePage> {
    const page = await this.page(request, reads);
    if (page.next || !needsWindow(request.filter)) return page;
    const { statement, values } = windowEndStatement(request);
    const [end] = await reads.run<{ created_at: Date; id: number }>(statement, values);
    if (!end) return page;
    const last = page.messages.at(-1);
    const windowEnd = { createdAt: end.created_at, id: end.id };
    // Messages that arrived meanwhile have moved the window: what was found must not be found again.
    const next = last ? furtherBack(windowEnd, positionOf(last)) : windowEnd;
    return { messages: page.messages, next };
  }

  private async page(request: PageRequest, reads: Queryable): Promise<MessagePage> {
    const { limit, now } = request;
    const { statement, values } = searchStatement({ ...request, limit: limit + 1 });
    const rows = await reads.run<MessageRow>(statement, values);
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const next = rows.length > limit && last ? { createdAt: last.created_at, id: last.id } : null;
    return { messages: page.map((row) => toSummary(row, now)), next };
  }
}

function positionOf(message: MessageSummary): PagePosition {
  return { createdAt: new Date(message.created_at), id: message.message_log_id };
}

function furtherBack(a: PagePosition, b: PagePosition): PagePosition {
  const difference = a.createdAt.getTime() - b.createdAt.getTime() || a.id - b.id;
  return difference < 0 ? a : b;
}

function toEvent(row: EventRow): MessageEventDto {
  return { ...row, occurred_at: row.occurred_at.toISOString(), recorded_at: row.recorded_at.toISOString() };
}

export const FIND: Statement = {
  name: 'message_find',
  text: `
    SELECT ${columns('$3')} FROM message_logs m JOIN messaging_accounts n ON n.id = m.messaging_account_id
    WHERE m.tenant_id = $1 AND m.id = $2`,
};

export const EVENTS: Statement = {
  name: 'message_events_find',
  text: `
    SELECT e.event, e.occurred_at, e.recorded_at, ${SHOWN_DETAILS} AS details
    FROM message_events e JOIN message_logs m ON m.id = e.message_log_id
    WHERE e.message_log_id = $1 ORDER BY e.id`,
};
