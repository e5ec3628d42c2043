import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { AlertChannel } from './alert-channel.entity.js';
import { Alert } from './alert.entity.js';

/** That an alert was told by a channel, or that this was given up: it is not told by that channel again. */
@Entity('alert_notices')
export class AlertNotice {
  @PrimaryColumn('integer', { name: 'alert_id' })
  alertId: number;

  @ManyToOne(() => Alert, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'alert_id', foreignKeyConstraintName: 'alert_notices_alert_fk' })
  alert?: Alert;

  @PrimaryColumn('text')
  channel: AlertChannel['name'];

  @ManyToOne(() => AlertChannel, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'channel', foreignKeyConstraintName: 'alert_notices_channel_fk' })
  through?: AlertChannel;

  /** Null: given up. */
  @Column('timestamptz', { name: 'told_at', nullable: true })
  toldAt: Date | null;
}
