import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import { Tenant } from '../../accounts/tenant.entity.js';
import type { HoldScope } from '../outcome.js';
import type { MessageError } from '../../messages/domain/message-error.js';

/** A number, business account or template whose messages wait until a cause is gone, or messages that a restore made doubtful. */
@Entity('holds')
@Check('holds_scope_check', `scope IN ('number', 'business_account', 'template', 'restore')`)
@Index('holds_open_key', ['scope', 'targetId'], { unique: true, where: 'lifted_at IS NULL' })
@Index('holds_target_idx', ['scope', 'targetId', 'liftedAt'])
export class Hold {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'BY DEFAULT' })
  id: number;

  @Column('uuid', { name: 'tenant_id' })
  tenantId: string;

  @ManyToOne(() => Tenant)
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'holds_tenant_fk' })
  tenant?: Tenant;

  @Column('text')
  scope: HoldScope;

  /** The id of the row of that scope; of a `restore`, the business account whose doubtful messages it keeps. */
  @Column('text', { name: 'target_id' })
  targetId: string;

  /**
   * The class of the provider's error that caused it; of what webhooks tell, see AccountHoldCause; `template_missing` after
   * a number moved; `restored`.
   */
  @Column('text')
  cause: string;

  @Column('jsonb')
  error: MessageError;

  /** The message that it began with. No foreign key: it may expire before the hold is forgotten. */
  @Column('bigint', { name: 'message_log_id', nullable: true })
  messageLogId: number | null;

  /** Whether it began with a failed receipt: then the provider's 200 does not end it, but a receipt of the probe does. */
  @Column('boolean', { name: 'by_receipt', default: false })
  byReceipt: boolean;

  /** The message that tried it last. */
  @Column('bigint', { name: 'probe_message_id', nullable: true })
  probeMessageId: number | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  /** When one message may try whether the cause is gone; infinity when none may. */
  @Column('timestamptz', { name: 'next_probe_at' })
  nextProbeAt: Date;

  @Column('timestamptz', { name: 'lifted_at', nullable: true })
  liftedAt: Date | null;

  /** `command`, `dashboard`, `webhook`, `probe` or `templates`: the template that was missing is there. */
  @Column('text', { name: 'lifted_by', nullable: true })
  liftedBy: string | null;
}
