import { Column, CreateDateColumn, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/**
 * Something that happened to a message: an answer of the provider, a receipt, a decision of ours. An index by the
 * provider's id in `details`, which TypeORM cannot describe, is in provider-id.sql.ts.
 */
@Entity('message_events')
export class MessageEvent {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
  id: number;

  @PrimaryColumn('bigint', { name: 'message_log_id' })
  messageLogId: number;

  @Column('text')
  event: string;

  /** By the provider's clock where the provider says so. */
  @Column('timestamptz', { name: 'occurred_at' })
  occurredAt: Date;

  @CreateDateColumn({ name: 'recorded_at', type: 'timestamptz' })
  recordedAt: Date;

  /** As event-details.ts shortens them; a receipt has the provider's id only where the message had none yet, or another. */
  @Column('jsonb', { nullable: true })
  details: Record<string, unknown> | null;
}
