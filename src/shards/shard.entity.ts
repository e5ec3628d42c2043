import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A part of the numbers (src/shards/shards.ts), and the worker that dispatches them. */
@Entity('shards')
export class Shard {
  @PrimaryColumn('integer')
  id: number;

  /** Its shards are free once its lease has ended. Null: nobody has taken it yet. */
  @Column('uuid', { name: 'worker_id', nullable: true })
  workerId: string | null;
}
