import type { BatchOutcome } from './batch/batch-outcome.js';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An `Idempotency-Key` of a tenant, and the one message or batch that was accepted under it. */
@Entity('idempotency_keys')
@Index('idempotency_keys_created_idx', ['createdAt'])
export class IdempotencyKey {
  @PrimaryColumn('uuid', { name: 'tenant_id' })
  tenantId: string;

  @PrimaryColumn('text')
  key: string;

  /** SHA-256 of the request's body, in hex. */
  @Column('text', { name: 'body_hash' })
  bodyHash: string;

  /** Null for a batch. */
  @Column('bigint', { name: 'message_log_id', nullable: true })
  messageLogId: number | null;

  /** What came of a batch; null for a message. */
  @Column('jsonb', { nullable: true })
  answer: BatchOutcome | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}
