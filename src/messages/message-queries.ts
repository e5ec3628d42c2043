import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Database, type Statement } from '../database/database.js';
import type { PagePosition } from './domain/cursor.js';
import type { MessageStatus } from './domain/message-status.js';
import type { MessageEventDto, MessageRecord, MessageSummary } from './dto/message-record.dto.js';
import type { MessageError } from './domain/message-error.js';
import type { MessageLog } from './message-log.entity.js';

/** Which messages to list; all that are given must fit. */
export interface MessageFilter {
  messagingAccountId?: number | undefined;
  status?: MessageStatus | undefined;
  /** Digits only. */
  phone?: string | undefined;
  template?: string | undefined;
  createdFrom?: Date | undefined;
  createdTo?: Date | undefined;
}

interface Row {
  id: number;
  api_id: string;
  phone: string;
  template_name: string;
  language: string;
  components: MessageLog['components'];
  status: MessageStatus;
  due_at: Date;
  conversation_category: MessageSummary['conversation_category'];
  cost: string;
  currency: string;
  scheduled_at: Date | null;
  timezone: string | null;
  auto_retry_on_frequency_cap: boolean;
  retry_count: number;
  retry_of: number | null;
  attempts: number;
  provider_message_id: string | null;
  error: MessageError | null;
  created_at: Date;
  sent_at: Date | null;
  delivered_at: Date | null;
  read_at: Date | null;
  failed_at: Date | null;
  canceled_at: Date | null;
}

interface EventRow {
  event: string;
  occurred_at: Date;
  recorded_at: Date;
  details: Record<string, unknown> | null;
}

/** Reads message log records of one tenant. */
@Injectable()
export class MessageQueries {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** The record with its events, or null when the tenant has no such message. */
  async find(tenantId: string, id: number): Promise<MessageRecord | null> {
    const [row] = await this.database.run<Row>(FIND, [tenantId, id]);
    if (!row) return null;
    const events = await this.database.run<EventRow>(EVENTS, [id]);
    const summary = this.toSummary(row);
    const accepted = {
      event: 'accepted',
      occurred_at: summary.created_at,
      recorded_at: summary.created_at,
      details: null,
    };
    return { ...summary, events: [accepted, ...events.map(toEvent)] };
  }

  /** A page of the tenant's messages, newest first, and the position after it (null at the end). */
  async list(
    tenantId: string,
    filter: MessageFilter,
    limit: number,
    after: PagePosition | null,
  ): Promise<{ messages: MessageSummary[]; next: PagePosition | null }> {
    const rows = await this.database.run<Row>(this.listStatement(filter, after), [
      tenantId,
      limit + 1,
      this.clock.now(),
      ...(after ? [after.createdAt, after.id] : []),
      ...FILTERS.map((name) => filter[name]).filter((value) => value !== undefined),
    ]);
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const next = rows.length > limit && last ? { createdAt: last.created_at, id: last.id } : null;
    return { messages: page.map((row) => this.toSummary(row)), next };
  }

  /** Only the conditions that are asked for, so that PostgreSQL plans for these; at most 2^7 texts. */
  private listStatement(filter: MessageFilter, after: PagePosition | null): Statement {
    let position = 3;
    const next = () => `$${(position += 1)}`;
    const conditions = [
      ...(after ? [`(m.created_at, m.id) < (${next()}, ${next()})`] : []),
      ...FILTERS.filter((name) => filter[name] !== undefined).map((name) => CONDITIONS[name](next())),
    ];
    const text = `
      SELECT ${COLUMNS} FROM message_logs m JOIN messaging_accounts n ON n.id = m.messaging_account_id
      WHERE m.tenant_id = $1 AND $3::timestamptz IS NOT NULL ${conditions.map((condition) => `AND ${condition}`).join(' ')}
      ORDER BY m.created_at DESC, m.id DESC LIMIT $2`;
    // Short: PostgreSQL tells names apart by their first 63 characters only.
    const shape = [after !== null, ...FILTERS.map((name) => filter[name] !== undefined)];
    return { name: `messages_list_${shape.map(Number).join('')}`, text };
  }

  private toSummary(row: Row): MessageSummary {
    const isDue = row.due_at <= this.clock.now();
    return {
      message_log_id: row.id,
      messaging_account_id: row.api_id,
      phone: row.phone,
      template: { name: row.template_name, language: row.language },
      components: row.components as MessageSummary['components'],
      // Nobody writes the row when its time comes: it is claimed, or it waits its turn.
      status: row.status === 'scheduled' && isDue ? 'queued' : row.status,
      conversation_category: row.conversation_category,
      cost: Number(row.cost),
      currency: row.currency,
      scheduled_at: iso(row.scheduled_at),
      timezone: row.timezone,
      auto_retry_on_frequency_cap: row.auto_retry_on_frequency_cap,
      retry_count: row.retry_count,
      retry_of: row.retry_of,
      attempts: row.attempts,
      provider_message_id: row.provider_message_id,
      error: row.error,
      created_at: row.created_at.toISOString(),
      sent_at: iso(row.sent_at),
      delivered_at: iso(row.delivered_at),
      read_at: iso(row.read_at),
      failed_at: iso(row.failed_at),
      canceled_at: iso(row.canceled_at),
    };
  }
}

function iso(date: Date | null): string | null {
  return date && date.toISOString();
}

function toEvent(row: EventRow): MessageEventDto {
  return { ...row, occurred_at: row.occurred_at.toISOString(), recorded_at: row.recorded_at.toISOString() };
}

const COLUMNS = `m.id, n.api_id, m.phone, m.template_name, m.language, m.components, m.status, m.due_at,
  m.conversation_category, m.cost, m.currency, m.scheduled_at, m.timezone, m.auto_retry_on_frequency_cap,
  m.retry_count, m.retry_of, m.attempts, m.provider_message_id, m.error, m.created_at, m.sent_at,
  m.delivered_at, m.read_at, m.failed_at, m.canceled_at`;

/** By the name of the filter; `$3` is the service's time. */
const CONDITIONS: Record<keyof MessageFilter, (parameter: string) => string> = {
  messagingAccountId: (parameter) => `m.messaging_account_id = ${parameter}`,
  status: (parameter) =>
    `CASE WHEN m.status = 'scheduled' AND m.due_at <= $3 THEN 'queued' ELSE m.status END = ${parameter}`,
  phone: (parameter) => `m.phone = ${parameter}`,
  template: (parameter) => `m.template_name = ${parameter}`,
  createdFrom: (parameter) => `m.created_at >= ${parameter}`,
  createdTo: (parameter) => `m.created_at < ${parameter}`,
};

const FILTERS = Object.keys(CONDITIONS) as (keyof MessageFilter)[];

const FIND: Statement = {
  name: 'message_find',
  text: `
    SELECT ${COLUMNS} FROM message_logs m JOIN messaging_accounts n ON n.id = m.messaging_account_id
    WHERE m.tenant_id = $1 AND m.id = $2`,
};

const EVENTS: Statement = {
  name: 'message_events_find',
  text: 'SELECT event, occurred_at, recorded_at, details FROM message_events WHERE message_log_id = $1 ORDER BY id',
};
