import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn } from 'typeorm';
import { DashboardUser } from './dashboard-user.entity.js';

/** What a user shows beside the password: one-time codes of an app (TOTP, RFC 6238), or recovery codes. */
@Entity('second_factors')
export class SecondFactor {
  @PrimaryColumn('uuid', { name: 'user_id', primaryKeyConstraintName: 'second_factors_pkey' })
  userId: string;

  @OneToOne(() => DashboardUser, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'second_factors_user_fk' })
  user?: DashboardUser;

  /** The secret that the codes are derived from, in base32, encrypted by the SecretBox. */
  @Column('text')
  secret: string;

  /** Null while set-up is unfinished: it is not asked for until a first code has shown that the app has the secret. */
  @Column('timestamptz', { name: 'turned_on_at', nullable: true })
  turnedOnAt: Date | null;

  /** The time step of the last code that was used. Codes of this or an earlier step are refused. */
  @Column('integer', { name: 'last_step', default: 0 })
  lastStep: number;

  /** SHA-256, in hex, of each unused recovery code. */
  @Column('text', { name: 'recovery_hashes', array: true, default: '{}' })
  recoveryHashes: string[];
}
