import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A way in which the operator is told of alerts beside the dashboard, from its first use on. */
@Entity('alert_channels')
export class AlertChannel {
  @PrimaryColumn('text')
  name: 'mail' | 'webhook';

  /** Alerts that were raised before are not told by it. */
  @Column('timestamptz')
  since: Date;

  /** When alerts are told by it next; while a worker does so, the end of its lease. */
  @Column('timestamptz', { name: 'next_try_at' })
  nextTryAt: Date;

  /** Tries in a row that have failed. */
  @Column('integer', { default: 0 })
  failures: number;
}
