import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Recent failed sign-ins, and the waits after them, as rate-limiter-flexible counts them for all processes. */
@Entity('dashboard_logins')
export class DashboardLogin {
  @PrimaryColumn('varchar', { length: 255 })
  key: string;

  @Column('integer', { default: 0 })
  points: number;

  /** Milliseconds since 1970. */
  @Column('bigint', { nullable: true })
  expire: string | null;
}
