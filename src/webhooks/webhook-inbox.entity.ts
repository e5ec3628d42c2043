import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** A webhook delivery as it arrived, signed and committed before anything is made of it. */
@Entity('webhook_inbox')
@Index('webhook_inbox_digest_key', ['digest'], { unique: true })
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

  /** SHA-256 of the payload, by which one that is delivered again is known; null on what came before this column. */
  @Column('bytea', { nullable: true })
  digest: Buffer | null;

  @Column('timestamptz', { name: 'received_at' })
  receivedAt: Date;

  @Column('integer', { default: 0 })
  tries: number;

  /** Since when it is to be applied: since it came, or was last replayed. */
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
