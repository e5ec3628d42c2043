import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { TemplateCategory } from '../provider/wire.js';

/**
 * A message that waits or is under way, for as long as that. Rows are made, changed and deleted by the arrows of
 * docs/architecture.md; this class describes the columns to TypeORM and to readers.
 */
@Entity('outbox')
// Its first key is the shard, messaging_account_id % 64 (shards.ts), which TypeORM cannot say.
@Index('outbox_due_idx', { synchronize: false })
@Index('outbox_urgent_idx', ['messagingAccountId', 'category', 'dueAt'], {
  where: `resolve_at IS NULL AND held_by IS NULL AND category <> 'MARKETING'`,
})
@Index('outbox_held_idx', ['heldBy', 'dueAt'], { where: 'held_by IS NOT NULL' })
@Index('outbox_codes_idx', ['dueAt'], { where: `resolve_at IS NULL AND category = 'AUTHENTICATION'` })
@Index('outbox_resolve_idx', ['resolveAt'], { where: 'resolve_at IS NOT NULL' })
@Index('outbox_valid_idx', ['validUntil'], { where: 'valid_until IS NOT NULL' })
@Index('outbox_list_idx', ['tenantId', 'createdAt'])
@Index('outbox_campaign_idx', ['campaignId'], { where: 'campaign_id IS NOT NULL' })
export class OutboxEntry {
  @PrimaryColumn('bigint', { name: 'message_log_id' })
  messageLogId: number;

  @Column('uuid', { name: 'tenant_id' })
  tenantId: string;

  @Column('integer', { name: 'messaging_account_id' })
  messagingAccountId: number;

  /** Of the message: another one than at its acceptance, when its number has moved. */
  @Column('integer', { name: 'template_id' })
  templateId: number;

  @Column('text')
  category: TemplateCategory;

  @Column('integer', { name: 'campaign_id', nullable: true })
  campaignId: number | null;

  /** Null on auto-retries. */
  @Column('integer', { name: 'campaign_row', nullable: true })
  campaignRow: number | null;

  /** When the message was accepted. */
  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  /** When it may be sent: its schedule, or the next try. */
  @Column('timestamptz', { name: 'due_at' })
  dueAt: Date;

  /** Of the message: after it, nobody wants it any more. */
  @Column('timestamptz', { name: 'valid_until', nullable: true })
  validUntil: Date | null;

  /** The hold that keeps it from being claimed: on its template, or of a restore. */
  @Column('integer', { name: 'held_by', nullable: true })
  heldBy: number | null;

  /** Calls to the provider; the number of the claim that a recorded outcome must fit. */
  @Column('integer', { default: 0 })
  attempts: number;

  /** The first try, or the first after the last hold: from then on its time for retries runs. */
  @Column('timestamptz', { name: 'first_attempt_at', nullable: true })
  firstAttemptAt: Date | null;

  /** While it is claimed: when an outcome that is still unknown is decided. */
  @Column('timestamptz', { name: 'resolve_at', nullable: true })
  resolveAt: Date | null;
}
