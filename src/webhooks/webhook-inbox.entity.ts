import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** A webhook delivery as it arrived: its signature is checked, and it is committed before it is applied. */
@Entity('webhook_inbox')
@Index('webhook_inbox_parked_idx', ['id'], { where: 'parked_at IS NOT NULL' })
@Index('webhook_inbox_unknown_idx', ['id'], {
  where: 'parked_at IS NOT NULL AND unknown_accounts IS NOT NULL',
})
@Index('webhook_inbox_pending_idx', ['nextTryAt'], { where: 'processed_at IS NULL AND parked_at IS NULL' })
export class WebhookInboxEntry {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
  id: number;

  /** The body as text, since its ids may have more digits than a double holds. */
  @Column('text')
  payload: string;

  @Column('timestamptz', { name: 'received_at' })
  receivedAt: Date;

  @Column('integer', { default: 0 })
  tries: number;

  /** From when on it is to be applied: its arrival, or its last replay. */
  @Column('timestamptz', { name: 'next_try_at' })
  nextTryAt: Date;

  @Column('timestamptz', { name: 'processed_at', nullable: true })
  processedAt: Date | null;

  /** When it could not be applied and was put aside. */
  @Column('timestamptz', { name: 'parked_at', nullable: true })
  parkedAt: Date | null;

  @Column('text', { nullable: true })
  error: string | null;

  /** The provider's ids of the business accounts that it was put aside for; the rest of it was applied. */
  @Column('text', { name: 'unknown_accounts', array: true, nullable: true })
  unknownAccounts: string[] | null;
}
