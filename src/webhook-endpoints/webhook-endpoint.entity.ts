import {
  Column,
  CreateDateColumn,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryGeneratedColumn,
} from 'typeorm';
import { Tenant } from '../accounts/tenant.entity.js';
import type { EventType } from '../events/domain/event-types.js';

/** A secret that was replaced. */
export interface FormerSecret {
  /** Encrypted. */
  secret: string;
  /** As ISO 8601 has it. */
  until: string;
}

/** Where a tenant wants its events posted to, and how far that has come. */
@Entity('webhook_endpoints')
@Index('webhook_endpoints_tenant_idx', ['tenantId'])
@Index('webhook_endpoints_next_try_idx', ['nextTryAt'], { where: 'disabled_at IS NULL' })
export class WebhookEndpoint {
  @PrimaryGeneratedColumn('uuid')
  id: string;

  @Column('uuid', { name: 'tenant_id' })
  tenantId: string;

  @ManyToOne(() => Tenant)
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'webhook_endpoints_tenant_fk' })
  tenant?: Tenant;

  @Column('text')
  url: string;

  /** The types of events that it gets; null: all. */
  @Column('text', { array: true, nullable: true })
  types: EventType[] | null;

  @Column('text', { nullable: true })
  description: string | null;

  /** Encrypted. */
  @Column('text')
  secret: string;

  /** Those before, newest first, each of which signs as well until its end. */
  @Column('jsonb', { name: 'former_secrets', default: [] })
  formerSecrets: FormerSecret[];

  /** The last event that was taken, by its place in the stream. */
  @Column('bigint', { name: 'after_entry' })
  afterEntry: number;

  @Column('integer', { name: 'after_ordinal' })
  afterOrdinal: number;

  /** Attempts ever made; counts the rows of its log. */
  @Column('bigint', { default: 0 })
  attempts: number;

  /** Failed attempts since the last success. */
  @Column('integer', { default: 0 })
  failures: number;

  @Column('timestamptz', { name: 'failing_since', nullable: true })
  failingSince: Date | null;

  @Column('timestamptz', { name: 'succeeded_at', nullable: true })
  succeededAt: Date | null;

  /** Not before that time. */
  @Column('timestamptz', { name: 'next_try_at' })
  nextTryAt: Date;

  /** The lease of the run that posts to it, and until when no other does, by PostgreSQL's clock. */
  @Column('uuid', { name: 'leased_by', nullable: true })
  leasedBy: string | null;

  @Column('timestamptz', { name: 'leased_until', nullable: true })
  leasedUntil: Date | null;

  @Column('timestamptz', { name: 'disabled_at', nullable: true })
  disabledAt: Date | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
