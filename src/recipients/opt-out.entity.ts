import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { OptOutScope, OptOutSource } from './domain/opt-out.js';

/** A recipient who wants no marketing, or no message at all, of a tenant. */
@Entity('opt_outs')
@Check('opt_outs_scope_check', `scope IN ('marketing', 'all')`)
@Check('opt_outs_source_check', `source IN ('api', 'dashboard', 'import', 'provider', 'keyword')`)
@Index('opt_outs_newest_idx', ['tenantId', 'createdAt', 'phone'])
@Index('opt_outs_source_idx', ['tenantId', 'source', 'createdAt', 'phone'])
export class OptOut {
  @PrimaryColumn('uuid', { name: 'tenant_id' })
  tenantId: string;

  /** Digits, in the one spelling of `recipientSql`. */
  @PrimaryColumn('text')
  phone: string;

  @Column('text')
  scope: OptOutScope;

  @Column('text')
  source: OptOutSource;

  @Column('text', { nullable: true })
  reason: string | null;

  /** Since when it holds: where the recipient has said so, by the provider's clock. */
  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}
