import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryGeneratedColumn,
  Unique,
} from 'typeorm';
import { Tenant } from './tenant.entity.js';

/** What a user may do: look; also make and send; also administer. Each may do what those before it may. */
export const DASHBOARD_ROLES = ['viewer', 'editor', 'owner'] as const;

export type DashboardRole = (typeof DASHBOARD_ROLES)[number];

/** A person who may sign in to a tenant's dashboard. */
@Entity('dashboard_users')
@Unique('dashboard_users_email_key', ['email'])
@Check('dashboard_users_role_check', `role IN ('owner', 'editor', 'viewer')`)
export class DashboardUser {
  @PrimaryGeneratedColumn('uuid')
  id: string;

  @Column('uuid', { name: 'tenant_id' })
  @Index('dashboard_users_tenant_idx')
  tenantId: string;

  @ManyToOne(() => Tenant)
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'dashboard_users_tenant_fk' })
  tenant?: Tenant;

  /** Lower case. */
  @Column('text')
  email: string;

  /** argon2id. */
  @Column('text', { name: 'password_hash' })
  passwordHash: string;

  @Column('text', { default: 'owner' })
  role: DashboardRole;

  /** May change what all tenants share: the rate card. */
  @Column('boolean', { default: false })
  operator: boolean;

  @Column('timestamptz', { name: 'last_seen_at', nullable: true })
  lastSeenAt: Date | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
