import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';

/** One of the last attempts to post events to an endpoint. Later ones take the place of the oldest. */
@Entity('webhook_endpoint_attempts')
export class WebhookEndpointAttempt {
  @PrimaryColumn('uuid', { name: 'webhook_endpoint_id' })
  webhookEndpointId: string;

  @ManyToOne(() => WebhookEndpoint, { onDelete: 'CASCADE' })
  @JoinColumn({
    name: 'webhook_endpoint_id',
    foreignKeyConstraintName: 'webhook_endpoint_attempts_endpoint_fk',
  })
  endpoint?: WebhookEndpoint;

  /** The attempt's number, modulo the number of attempts that are kept. */
  @PrimaryColumn('integer')
  place: number;

  @Column('timestamptz', { name: 'attempted_at' })
  attemptedAt: Date;

  @Column('integer')
  events: number;

  /** The cursors of the first and the last event. */
  @Column('text', { name: 'first_cursor' })
  firstCursor: string;

  @Column('text', { name: 'last_cursor' })
  lastCursor: string;

  /** Of the answer; null when none came. */
  @Column('integer', { name: 'http_status', nullable: true })
  httpStatus: number | null;

  /** Why it failed; null for a success. */
  @Column('text', { nullable: true })
  error: string | null;

  /** Milliseconds. */
  @Column('integer')
  duration: number;
}
