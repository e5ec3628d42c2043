import {
  Column,
  CreateDateColumn,
  Entity,
  JoinColumn,
  ManyToOne,
  PrimaryGeneratedColumn,
  Unique,
} from 'typeorm';
import { type Scope, SCOPES } from './domain/scopes.js';
import { Tenant } from './tenant.entity.js';

/** An API key, known only by its hash. */
@Entity('api_keys')
@Unique('api_keys_key_hash_key', ['keyHash'])
export class ApiKey {
  @PrimaryGeneratedColumn('uuid')
  id: string;

  /** The tenant it acts for; null for a platform key, which acts for the tenant of `X-TENANT-ID`. */
  @Column('uuid', { name: 'tenant_id', nullable: true })
  tenantId: string | null;

  @ManyToOne(() => Tenant)
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'api_keys_tenant_fk' })
  tenant?: Tenant | null;

  @Column('text')
  name: string;

  /** SHA-256 of the key, in hex. */
  @Column('text', { name: 'key_hash' })
  keyHash: string;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt: Date | null;

  /** What it may do. All scopes for keys that were made before there were any. */
  @Column('text', { array: true, default: [...SCOPES] })
  scopes: Scope[];

  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  lastUsedAt: Date | null;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt: Date | null;
}
