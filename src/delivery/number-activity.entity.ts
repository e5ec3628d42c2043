import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How many messages of a number went out within ten seconds; kept for an hour. */
@Entity('number_activity')
export class NumberActivityRow {
  @PrimaryColumn('integer', { name: 'messaging_account_id' })
  messagingAccountId: number;

  /** The beginning of the ten seconds. */
  @PrimaryColumn('timestamptz')
  slot: Date;

  @Column('integer')
  sent: number;
}
