import { deliveryVerdict } from '../domain/delivery-verdict.js';
import type { Expectation } from '../domain/conditions.js';
import type { MessageError, UnwantedError } from '../domain/message-error.js';
import type { MessageStatus } from '../domain/message-status.js';
import type { MessageSummary } from '../dto/message-record.dto.js';
import type { MessageLog } from '../message-log.entity.js';

/** A row of message_logs with the API id of its number, as {@link columns} reads it. */
export interface MessageRow {
  id: number;
  api_id: string;
  phone: string;
  template_name: string;
  language: string;
  components: MessageLog['components'];
  status: MessageStatus;
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
  error: MessageError | UnwantedError | null;
  created_at: Date;
  sent_at: Date | null;
  delivered_at: Date | null;
  read_at: Date | null;
  failed_at: Date | null;
  canceled_at: Date | null;
  template_version: string | null;
  client_reference: string | null;
  metadata: Record<string, string> | null;
  valid_until: Date | null;
  max_cost: string | null;
  expect: Expectation | null;
  /** Of its template, unless that has another category since; null for the provider's default. */
  time_to_live: number | null;
}

/**
 * The status of a message `m`. What waits or is under way is told by the outbox: nobody writes the log when a message is
 * claimed, nor when its time comes.
 * @param now SQL of the service's time
 */
export const shownStatus = (now: string) => `
  CASE WHEN m.status NOT IN ('scheduled', 'queued') THEN m.status
    WHEN m.status = 'scheduled' AND m.scheduled_at > ${now} THEN 'scheduled'
    WHEN (SELECT o.resolve_at IS NOT NULL FROM outbox o WHERE o.message_log_id = m.id) THEN 'sending'
    ELSE 'queued' END`;

/**
 * Of message_logs `m` and messaging_accounts `n`.
 * @param now SQL of the service's time
 */
export const columns = (now: string) => `
  m.id, n.api_id, m.phone, m.template_name, m.language, m.components, ${shownStatus(now)} AS status,
  m.conversation_category, m.cost, m.currency, m.scheduled_at, m.timezone, m.auto_retry_on_frequency_cap,
  m.retry_count, m.retry_of,
  coalesce((SELECT o.attempts FROM outbox o WHERE o.message_log_id = m.id), m.attempts) AS attempts,
  m.provider_message_id, m.error, m.created_at, m.sent_at, m.delivered_at, m.read_at, m.failed_at, m.canceled_at,
  replace(m.template_version::text, '-', '') AS template_version, m.client_reference, m.metadata, m.valid_until,
  m.max_cost, m.expect,
  (SELECT t.message_send_ttl_seconds FROM templates t
    WHERE t.id = m.template_id AND t.category = m.conversation_category) AS time_to_live`;

/** The record as the API shows it at that time. */
export function toSummary(row: MessageRow, now: Date): MessageSummary {
  return {
    message_log_id: row.id,
    messaging_account_id: row.api_id,
    phone: row.phone,
    client_reference: row.client_reference,
    metadata: row.metadata,
    template: { name: row.template_name, language: row.language, version: row.template_version },
    components: row.components as MessageSummary['components'],
    status: row.status,
    conversation_category: row.conversation_category,
    cost: Number(row.cost),
    currency: row.currency,
    scheduled_at: iso(row.scheduled_at),
    timezone: row.timezone,
    valid_until: iso(row.valid_until),
    max_cost: row.max_cost === null ? null : Number(row.max_cost),
    expect: row.expect,
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
    delivery_verdict: deliveryVerdict(row, now),
  };
}

function iso(date: Date | null): string | null {
  return date && date.toISOString();
}
