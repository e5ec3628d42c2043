import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { DashboardUser } from '../../accounts/dashboard-user.entity.js';

/** A browser that is signed in, known only by the hash of its cookie. */
@Entity('dashboard_sessions')
@Unique('dashboard_sessions_token_hash_key', ['tokenHash'])
export class DashboardSession {
  @PrimaryGeneratedColumn('uuid')
  id: string;

  @Column('uuid', { name: 'user_id' })
  @Index('dashboard_sessions_user_idx')
  userId: string;

  @ManyToOne(() => DashboardUser, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'dashboard_sessions_user_fk' })
  user?: DashboardUser;

  /** HMAC-SHA256 of the cookie's token, in hex. */
  @Column('text', { name: 'token_hash' })
  tokenHash: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'last_seen_at' })
  lastSeenAt: Date;

  /** When the session ends even if it is in use. */
  @Column('timestamptz', { name: 'expires_at' })
  expiresAt: Date;
}
