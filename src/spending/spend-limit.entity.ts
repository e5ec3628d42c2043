import { Check, Column, Entity, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { Tenant } from '../accounts/tenant.entity.js';
import type { SpendPeriod, SpendScope } from './domain/spend-limit.js';

/**
 * A limit of what may be spent in a day or month, with its counter. What is accepted under it is counted here, with the
 * row locked; what changes later is in `spend_changes` until the next message is accepted.
 */
@Entity('spend_limits')
@Check('spend_limits_scope_check', `scope IN ('tenant', 'number', 'api_key')`)
@Check('spend_limits_period_check', `period IN ('day', 'month')`)
@Check('spend_limits_amount_check', 'amount >= 0')
@Unique('spend_limits_target_key', ['tenantId', 'scope', 'targetId', 'currency', 'period'])
export class SpendLimit {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'BY DEFAULT' })
  id: number;

  @Column('uuid', { name: 'tenant_id' })
  tenantId: string;

  @ManyToOne(() => Tenant)
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'spend_limits_tenant_fk' })
  tenant?: Tenant;

  @Column('text')
  scope: SpendScope;

  /** The id of the tenant, of the messaging account, or of the API key. */
  @Column('text', { name: 'target_id' })
  targetId: string;

  @Column('text')
  period: SpendPeriod;

  /** Only messages that are charged in it count. */
  @Column('text')
  currency: string;

  /** A decimal with six places, as text. */
  @Column('numeric', { precision: 18, scale: 6 })
  amount: string;

  /**
   * Not null while what was spent before the limit is being found out, and the limit does not hold yet: the last id of a
   * message when it was set.
   */
  @Column('bigint', { name: 'counted_from', nullable: true })
  countedFrom: number | null;

  /** The period that `spent` is about. */
  @Column('timestamptz', { name: 'period_start' })
  periodStart: Date;

  @Column('numeric', { precision: 20, scale: 6, default: 0 })
  spent: string;

  /** Of the period before, for processes whose clock is behind. */
  @Column('numeric', { name: 'spent_before', precision: 20, scale: 6, default: 0 })
  spentBefore: string;

  /** Whether a message has been refused in this period. */
  @Column('boolean', { name: 'is_reached', default: false })
  isReached: boolean;

  /** Up to which percentage people were told in this period. */
  @Column('smallint', { name: 'told_percent', default: 0 })
  toldPercent: number;

  @Column('timestamptz', { name: 'changed_at' })
  changedAt: Date;
}
