import type { Position } from '../../events/position.js';
import { encodePosition } from '../../events/position.js';
import type { EventType } from '../../events/domain/event-types.js';
import type { MessageError, UnwantedError } from '../domain/message-error.js';

/** An event as `READ_EVENTS` reads it; what belongs to a message is null for others, and where the message is deleted. */
export interface EventRow {
  entry: number;
  ordinal: number;
  type: EventType;
  recorded_at: Date;
  occurred_at: Date | null;
  message: number | null;
  data: Record<string, unknown> | null;
  api_id: string | null;
  phone: string;
  template_name: string;
  language: string;
  conversation_category: string;
  cost: string;
  currency: string;
  scheduled_at: Date | null;
  campaign_id: number | null;
  retry_of: number | null;
  provider_message_id: string | null;
  client_reference: string | null;
  metadata: Record<string, string> | null;
  created_at: Date | null;
  sent_at: Date | null;
  delivered_at: Date | null;
  read_at: Date | null;
}

/** An event as callers get it. */
export interface StreamEvent {
  id: string;
  type: EventType;
  /** ISO 8601: by the clock of whoever told of it. */
  occurred_at: string;
  recorded_at: string;
  cursor: string;
  data: Record<string, unknown>;
}

/** What `failed` keeps beside the message's record, which a receipt may change later. */
interface FailureData {
  error: MessageError | UnwantedError | null;
  provider_message_id: string | null;
}

/** What `retried` keeps. */
interface RetryData {
  retry_message_log_id: number;
  retry_at: string;
}

export const positionOf = ({ entry, ordinal }: EventRow): Position => ({ entry, ordinal });

export function toEvent(row: EventRow): StreamEvent {
  const { type, entry, ordinal, recorded_at } = row;
  return {
    id: `evt_${entry}_${ordinal}`,
    type,
    occurred_at: (row.occurred_at ?? timeOf(row) ?? recorded_at).toISOString(),
    recorded_at: recorded_at.toISOString(),
    cursor: encodePosition(positionOf(row)),
    data: row.message === null ? (row.data ?? {}) : messageData(row),
  };
}

/** When it happened to the message; null where that is when it was recorded. These times are set once. */
function timeOf({ type, created_at, sent_at, delivered_at, read_at }: EventRow): Date | null {
  if (type === 'message.accepted') return created_at;
  if (type === 'message.sent') return sent_at;
  if (type === 'message.delivered') return delivered_at;
  return type === 'message.read' ? read_at : null;
}

/** Of a message that is no longer kept, its id and status alone. */
function messageData(row: EventRow): Record<string, unknown> {
  const told = { message_log_id: row.message, status: statusOf(row) };
  if (row.api_id === null) return told;
  return {
    ...told,
    messaging_account_id: row.api_id,
    phone: row.phone,
    template: { name: row.template_name, language: row.language },
    category: row.conversation_category,
    cost: Number(row.cost),
    currency: row.currency,
    scheduled_at: row.scheduled_at && row.scheduled_at.toISOString(),
    ...(row.client_reference !== null && { client_reference: row.client_reference }),
    ...(row.metadata !== null && { metadata: row.metadata }),
    ...(row.campaign_id !== null && { campaign_id: row.campaign_id }),
    ...(row.retry_of !== null && { retry_of: row.retry_of }),
    ...ownData(row),
  };
}

/** What only events of this type tell. */
function ownData({ type, data, provider_message_id }: EventRow): Record<string, unknown> {
  switch (type) {
    case 'message.sent':
    case 'message.delivered':
    case 'message.read':
      return { provider_message_id };
    case 'message.failed': {
      const { error, provider_message_id: id } = data as unknown as FailureData;
      return { ...(id !== null && { provider_message_id: id }), error };
    }
    case 'message.retried': {
      const { retry_message_log_id, retry_at } = data as unknown as RetryData;
      return { retry_message_log_id, retry_at: new Date(retry_at).toISOString() };
    }
    default:
      return {};
  }
}

/** The status that the event tells of. */
function statusOf({ type, scheduled_at, recorded_at }: EventRow): string {
  if (type === 'message.accepted') return scheduled_at && scheduled_at > recorded_at ? 'scheduled' : 'queued';
  return type === 'message.retried' ? 'failed' : type.slice('message.'.length);
}
