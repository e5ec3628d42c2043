import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** A single row: the latest period, without a gap, in which an API process could have taken a webhook. */
@Entity('webhook_hearing')
@Check('webhook_hearing_one_row_check', 'id = 1')
export class WebhookHearing {
  @PrimaryColumn('smallint')
  id: number;

  @Column('timestamptz', { name: 'heard_since' })
  heardSince: Date;

  @Column('timestamptz', { name: 'heard_until' })
  heardUntil: Date;
}
