import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import { Tenant } from '../accounts/tenant.entity.js';
import type { AlertSeverity } from './domain/alert-kind.js';

/** What people have to be told of their accounts, until its cause is gone or they have seen it. */
@Entity('alerts')
@Check('alerts_severity_check', `severity IN ('error', 'warning', 'info')`)
@Index('alerts_open_key', ['kind', 'subject'], { unique: true, where: 'ended_at IS NULL' })
@Index('alerts_subject_idx', ['kind', 'subject', 'occurredAt'])
@Index('alerts_raised_idx', ['raisedAt'])
@Index('alerts_tenant_idx', ['tenantId'], { where: 'ended_at IS NULL' })
export class Alert {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'BY DEFAULT' })
  id: number;

  /** Null: for those who run the service. */
  @Column('uuid', { name: 'tenant_id', nullable: true })
  tenantId: string | null;

  @ManyToOne(() => Tenant)
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'alerts_tenant_fk' })
  tenant?: Tenant;

  /** The business account that it is about, if any. */
  @Column('uuid', { name: 'business_account_id', nullable: true })
  businessAccountId: string | null;

  @Column('text')
  kind: string;

  @Column('text')
  severity: AlertSeverity;

  /** What it is about. There is at most one open alert for a kind and subject. */
  @Column('text')
  subject: string;

  @Column('text')
  text: string;

  @Column('jsonb')
  details: Record<string, unknown>;

  /** How often it has come. */
  @Column('integer', { default: 1 })
  times: number;

  /** When it was raised first, by the service's clock. */
  @Column('timestamptz', { name: 'raised_at', default: () => 'now()' })
  raisedAt: Date;

  /** When it last occurred. */
  @Column('timestamptz', { name: 'occurred_at' })
  occurredAt: Date;

  /** When it ends by itself. */
  @Column('timestamptz', { name: 'ends_at', nullable: true })
  endsAt: Date | null;

  @Column('timestamptz', { name: 'ended_at', nullable: true })
  endedAt: Date | null;

  /** `webhook`, `dashboard`, `sync`, `added` (its account) or `time`. */
  @Column('text', { name: 'ended_by', nullable: true })
  endedBy: string | null;
}
