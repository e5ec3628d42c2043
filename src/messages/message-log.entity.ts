import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { TemplateCategory, WireComponent } from '../provider/wire.js';
import type { MessageError, UnwantedError } from './domain/message-error.js';
import type { Expectation } from './domain/conditions.js';
import type { MessageStatus } from './domain/message-status.js';

/**
 * One accepted message, and what has become of it; what waits or is under way has an entry in the outbox as well. Rows are
 * made and changed by the arrows of docs/architecture.md; this class describes the columns to TypeORM and to readers.
 */
@Entity('message_logs')
@Check(
  'message_logs_status_check',
  `status IN ('scheduled', 'queued', 'sent', 'delivered', 'read', 'failed', 'canceled')`,
)
@Index('message_logs_tenant_idx', ['tenantId', 'createdAt'])
@Index('message_logs_phone_idx', ['phone', 'createdAt'])
@Index('message_logs_list_undelivered_idx', ['tenantId', 'createdAt', 'id'], {
  where: 'failed_at IS NOT NULL OR canceled_at IS NOT NULL',
})
@Index('message_logs_list_retries_idx', ['tenantId', 'createdAt', 'id'], { where: 'retry_count = 1' })
@Index('message_logs_reference_idx', ['tenantId', 'clientReference', 'createdAt'], {
  where: 'client_reference IS NOT NULL',
})
@Index('message_logs_campaign_idx', ['campaignId'], { where: 'campaign_id IS NOT NULL' })
export class MessageLog {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
  id: number;

  @Column('uuid', { name: 'tenant_id' })
  tenantId: string;

  @Column('integer', { name: 'messaging_account_id' })
  messagingAccountId: number;

  @Column('integer', { name: 'template_id' })
  templateId: number;

  /** Digits only. */
  @Column('text')
  phone: string;

  @Column('text', { name: 'template_name' })
  templateName: string;

  @Column('text')
  language: string;

  /** The frozen copy of what is sent. */
  @Column('jsonb')
  components: WireComponent[];

  /** The version of the template's content that it was made from (template-version.ts), as its 128 bits. */
  @Column('uuid', { name: 'template_version', nullable: true })
  templateVersion: string | null;

  /** The caller's own id, not unique. */
  @Column('text', { name: 'client_reference', nullable: true })
  clientReference: string | null;

  /** The caller's own data; the provider never gets it. */
  @Column('jsonb', { nullable: true })
  metadata: Record<string, string> | null;

  /** After it, nobody wants the message any more. */
  @Column('timestamptz', { name: 'valid_until', nullable: true })
  validUntil: Date | null;

  /** A decimal with six places, as text. */
  @Column('numeric', { name: 'max_cost', precision: 14, scale: 6, nullable: true })
  maxCost: string | null;

  /** What its template has to be when it is sent. */
  @Column('jsonb', { nullable: true })
  expect: Expectation | null;

  /** The API key that it came by, or that the message had which it repeats; null from the dashboard and campaigns. */
  @Column('uuid', { name: 'api_key_id', nullable: true })
  apiKeyId: string | null;

  /** As it was accepted until it has left the outbox, which tells more until then: never `sending`. */
  @Column('text')
  status: MessageStatus;

  @Column('timestamptz', { name: 'scheduled_at', nullable: true })
  scheduledAt: Date | null;

  @Column('text', { nullable: true })
  timezone: string | null;

  @Column('boolean', { name: 'auto_retry_on_frequency_cap' })
  autoRetryOnFrequencyCap: boolean;

  /** 1 on the message that an auto-retry made, else 0. */
  @Column('smallint', { name: 'retry_count', default: 0 })
  retryCount: number;

  /** The message that an auto-retry repeats: one at most, by the key of message_retries. */
  @Column('bigint', { name: 'retry_of', nullable: true })
  retryOf: number | null;

  /** The campaign that it belongs to, its auto-retries included. */
  @Column('integer', { name: 'campaign_id', nullable: true })
  campaignId: number | null;

  /** The row of the campaign that it is for: the only one, by the key of campaign_messages. Null on auto-retries. */
  @Column('integer', { name: 'campaign_row', nullable: true })
  campaignRow: number | null;

  @Column('text', { name: 'conversation_category' })
  conversationCategory: TemplateCategory;

  /** A decimal with six places, as text. */
  @Column('numeric', { precision: 14, scale: 6 })
  cost: string;

  @Column('text')
  currency: string;

  /** Calls to the provider, once the message has left the outbox. */
  @Column('integer', { default: 0 })
  attempts: number;

  @Column('text', { name: 'provider_message_id', nullable: true })
  providerMessageId: string | null;

  @Column('jsonb', { nullable: true })
  error: MessageError | UnwantedError | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  /** Random; finds the message when the connection was cut while it was committed. Null on auto-retries. */
  @Column('uuid', { name: 'accept_token', nullable: true })
  acceptToken: string | null;

  @Column('timestamptz', { name: 'sent_at', nullable: true })
  sentAt: Date | null;

  @Column('timestamptz', { name: 'delivered_at', nullable: true })
  deliveredAt: Date | null;

  @Column('timestamptz', { name: 'read_at', nullable: true })
  readAt: Date | null;

  @Column('timestamptz', { name: 'failed_at', nullable: true })
  failedAt: Date | null;

  @Column('timestamptz', { name: 'canceled_at', nullable: true })
  canceledAt: Date | null;
}
