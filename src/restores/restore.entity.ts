import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A restore of the database to an earlier moment: what was written after it is gone. */
@Entity('restores')
export class Restore {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'BY DEFAULT' })
  id: number;

  /** What was written after that is gone. */
  @Column('timestamptz')
  moment: Date;

  /** When the service ended before the restore: it may have sent what was due by then. */
  @Column('timestamptz', { name: 'lost_until' })
  lostUntil: Date;

  @Column('timestamptz', { name: 'begun_at' })
  begunAt: Date;

  /** Messages get ids from here on: no id that was given out after the moment comes again. */
  @Column('bigint', { name: 'first_message_id' })
  firstMessageId: number;

  /** Deliveries in the inbox with a higher id came after the restore. */
  @Column('bigint', { name: 'last_delivery_id' })
  lastDeliveryId: number;
}
