import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An `Idempotency-Key` of a tenant and the one message that was accepted under it. */
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

  @Column('bigint', { name: 'message_log_id' })
  messageLogId: number;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}
