import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { DashboardUser } from '../accounts/dashboard-user.entity.js';
import { Alert } from './alert.entity.js';

/** That a user of the dashboard has read an alert. */
@Entity('alert_reads')
@Index('alert_reads_user_idx', ['userId'])
export class AlertRead {
  @PrimaryColumn('integer', { name: 'alert_id' })
  alertId: number;

  @ManyToOne(() => Alert, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'alert_id', foreignKeyConstraintName: 'alert_reads_alert_fk' })
  alert?: Alert;

  @PrimaryColumn('uuid', { name: 'user_id' })
  userId: string;

  @ManyToOne(() => DashboardUser, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'alert_reads_user_fk' })
  user?: DashboardUser;

  @Column('timestamptz', { name: 'read_at' })
  readAt: Date;
}
