import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** A charge or a refund; append-only. What a tenant owes is the sum of charges less the sum of refunds. */
@Entity('ledger_entries')
@Check('ledger_entries_kind_check', `kind IN ('charge', 'refund')`)
@Check('ledger_entries_amount_check', 'amount >= 0')
export class LedgerEntry {
  /** Tells the order; no key, as an index on it would serve nobody. */
  @Column({ type: 'bigint', generated: 'identity', generatedIdentity: 'BY DEFAULT' })
  id: number;

  @Column('uuid', { name: 'tenant_id' })
  tenantId: string;

  @PrimaryColumn('bigint', { name: 'message_log_id', primaryKeyConstraintName: 'ledger_entries_once_key' })
  messageLogId: number;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'ledger_entries_once_key' })
  kind: 'charge' | 'refund';

  /** 2 for the charge of a message that was delivered after it had failed. */
  @PrimaryColumn('smallint', { default: 1, primaryKeyConstraintName: 'ledger_entries_once_key' })
  ordinal: number;

  /** A decimal with six places, as text; never negative. */
  @Column('numeric', { precision: 14, scale: 6 })
  amount: string;

  @Column('text')
  currency: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}
