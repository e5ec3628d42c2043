import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import { Tenant } from './tenant.entity.js';

/** One thing that a user of the dashboard did, or that was done for one by a command. */
@Entity('audit_log')
@Index('audit_log_tenant_idx', ['tenantId', 'id'])
export class AuditEntry {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
  id: number;

  @Column('uuid', { name: 'tenant_id' })
  tenantId: string;

  @ManyToOne(() => Tenant)
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'audit_log_tenant_fk' })
  tenant?: Tenant;

  @Column('uuid', { name: 'user_id' })
  userId: string;

  /** The address as it was then: entries stay when their user is removed. */
  @Column('text', { name: 'user_email' })
  userEmail: string;

  /** Such as `template.created`. */
  @Column('text')
  action: string;

  @Column('jsonb')
  details: Record<string, unknown>;

  @Column('timestamptz', { name: 'occurred_at' })
  occurredAt: Date;
}
