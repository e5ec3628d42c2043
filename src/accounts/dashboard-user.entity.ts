import {
  Column,
  CreateDateColumn,
  Entity,
  JoinColumn,
  ManyToOne,
  PrimaryGeneratedColumn,
  Unique,
} from 'typeorm';
import { Tenant } from './tenant.entity.js';

/** A person who may sign in to a tenant's dashboard. */
@Entity('dashboard_users')
@Unique('dashboard_users_email_key', ['email'])
export class DashboardUser {
  @PrimaryGeneratedColumn('uuid')
  id: string;

  @Column('uuid', { name: 'tenant_id' })
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

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
