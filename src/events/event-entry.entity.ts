import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { EventType } from './domain/event-types.js';

/**
 * An entry of the stream of events: all that one statement has done to a tenant's messages, or one event of something else.
 * Entries are never changed; whole partitions of them are dropped when they are old.
 */
@Entity('event_stream')
@Index('event_stream_tenant_idx', ['tenantId', 'id'])
export class EventEntry {
  /** Its position, drawn when what it tells of is locked: what happens to a message later has a later one. */
  @PrimaryColumn('bigint', { default: () => 'next_event_position()' })
  id: number;

  @Column('timestamptz', { name: 'recorded_at' })
  recordedAt: Date;

  /** By the clock of whoever told of it, where that is not the time at which it was recorded. */
  @Column('timestamptz', { name: 'occurred_at', nullable: true })
  occurredAt: Date | null;

  @Column('uuid', { name: 'tenant_id' })
  tenantId: string;

  @Column('text')
  type: EventType;

  /** One event for each of these messages; null for an event of something else. */
  @Column('bigint', { array: true, nullable: true })
  messages: number[] | null;

  /** Of messages, what their records do not keep, in an array in the order of `messages`; else all that the event tells. */
  @Column('jsonb', { nullable: true })
  data: Record<string, unknown> | Record<string, unknown>[] | null;
}
