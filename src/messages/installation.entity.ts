import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** The only row: what tells this installation's messages from those of others at the same business account. */
@Entity('installation')
@Check('installation_one_row_check', 'one = 1')
export class Installation {
  @PrimaryColumn('smallint')
  one: number;

  /** Part of every message's tag; made once. */
  @Column('text')
  id: string;

  /** Messages that were accepted before have tags without the id. */
  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  /** Up to which position old entries of the stream of events have been deleted. */
  @Column('bigint', { name: 'events_deleted_to', default: 0 })
  eventsDeletedTo: number;
}
