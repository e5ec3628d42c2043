import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/**
 * What a refund, a charge after it, or an auto-retry changes in the counter of a limit. It is a row of its own, so that
 * what ends messages waits for no counter: the next statement that accepts under the limit works it in.
 */
@Entity('spend_changes')
@Index('spend_changes_limit_idx', ['spendLimitId'])
export class SpendChange {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
  id: number;

  @Column('bigint', { name: 'message_log_id' })
  messageLogId: number;

  /** The period in which the message was accepted. */
  @Column('timestamptz', { name: 'period_start' })
  periodStart: Date;

  @Column('integer', { name: 'spend_limit_id' })
  spendLimitId: number;

  /** Negative for a refund. */
  @Column('numeric', { precision: 14, scale: 6 })
  amount: string;
}
