import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A worker that runs, known by an id that it makes up when it starts. */
@Entity('worker_leases')
export class WorkerLease {
  @PrimaryColumn('uuid', { name: 'worker_id' })
  workerId: string;

  /** By PostgreSQL's clock: until then its shards are its own. Renewed every second. */
  @Column('timestamptz', { name: 'leased_until' })
  leasedUntil: Date;
}
