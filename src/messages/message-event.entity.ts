import { Column, CreateDateColumn, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** Something that happened to a message: an answer of the provider, a receipt, a decision of ours. */
@Entity('message_events')
@Index('message_events_message_idx', ['messageLogId', 'id'])
export class MessageEvent {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
  id: number;

  @Column('bigint', { name: 'message_log_id' })
  messageLogId: number;

  @Column('text')
  event: string;

  /** By the provider's clock where the provider says so. */
  @Column('timestamptz', { name: 'occurred_at' })
  occurredAt: Date;

  @CreateDateColumn({ name: 'recorded_at', type: 'timestamptz' })
  recordedAt: Date;

  @Column('jsonb', { nullable: true })
  details: Record<string, unknown> | null;
}
