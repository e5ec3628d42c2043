import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * When a recipient's opt-out was last lifted, as the provider tells wishes repeatedly and out of order. Each wish of a
 * recipient locks this row first, and makes it if need be: so of two at the same moment, one sees the other.
 */
@Entity('opt_out_lifts')
@Index('opt_out_lifts_noted_idx', ['notedAt'])
export class OptOutLift {
  @PrimaryColumn('uuid', { name: 'tenant_id' })
  tenantId: string;

  /** Digits, in the one spelling of `recipientSql`. */
  @PrimaryColumn('text')
  phone: string;

  /** By a program or a user: what recipients wished up to then counts no more. Null: not lately. */
  @Column('timestamptz', { name: 'lifted_at', nullable: true })
  liftedAt: Date | null;

  /** By the recipient at the provider: what the provider tells of up to then counts no more. Null: not lately. */
  @Column('timestamptz', { name: 'resumed_at', nullable: true })
  resumedAt: Date | null;

  /** When the last wish was heard. */
  @Column('timestamptz', { name: 'noted_at' })
  notedAt: Date;
}
