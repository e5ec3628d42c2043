import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How many sign-ins failed of late, and how long until the next ones, counted by rate-limiter-flexible for all processes together. */
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
