import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** A charge or a refund; append-only. What a tenant owes is the sum of charges less the sum of refunds. */
@Entity('ledger_entries')
@Check('ledger_entries_kind_check', `kind IN ('charge', 'refund')`)
@Check('ledger_entries_amount_check', 'amount >= 0')
@Index('ledger_entries_once_key', ['messageLogId', 'kind', 'ordinal'], { unique: true })
export class LedgerEntry {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
  id: number;

  @Column('uuid', { name: 'tenant_id' })
  tenantId: string;

  @Column('bigint', { name: 'message_log_id' })
  messageLogId: number;

  @Column('text')
  kind: 'charge' | 'refund';

  /** 2 for the charge of a message that was delivered after it had failed. */
  @Column('smallint', { default: 1 })
  ordinal: number;

  /** A decimal with six places, as text; never negative. */
  @Column('numeric', { precision: 14, scale: 6 })
  amount: string;

  @Column('text')
  currency: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}
