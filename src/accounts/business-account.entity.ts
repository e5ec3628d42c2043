import {
  Column,
  CreateDateColumn,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryGeneratedColumn,
  Unique,
} from 'typeorm';
import type { AuthInternational } from './auth-international.js';
import { Tenant } from './tenant.entity.js';

/** A tenant's account at the provider (WABA): its token, its app secret and the owner of its templates. */
@Entity('business_accounts')
@Unique('business_accounts_waba_id_key', ['wabaId'])
@Index('business_accounts_template_sync_idx', ['templateSyncFailures', 'templateSyncDueAt'])
@Index('business_accounts_recipients_due_idx', ['recipientsDueAt'])
@Index('business_accounts_tenant_idx', ['tenantId'])
export class BusinessAccount {
  @PrimaryGeneratedColumn('uuid')
  id: string;

  @Column('uuid', { name: 'tenant_id' })
  tenantId: string;

  @ManyToOne(() => Tenant)
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'business_accounts_tenant_fk' })
  tenant?: Tenant;

  @Column('text', { name: 'waba_id' })
  wabaId: string;

  @Column('text', { name: 'app_id', nullable: true })
  appId: string | null;

  /** Encrypted; see SecretBox. */
  @Column('text', { name: 'access_token' })
  accessToken: string;

  /** Encrypted; see SecretBox. */
  @Column('text', { name: 'app_secret' })
  appSecret: string;

  @Column('timestamptz', { name: 'templates_synced_at', nullable: true })
  templatesSyncedAt: Date | null;

  /** When the templates are synced next; while a worker syncs them, the end of its lease. */
  @Column('timestamptz', { name: 'template_sync_due_at', default: () => 'now()' })
  templateSyncDueAt: Date;

  /** How many regular syncs in a row have failed. */
  @Column('integer', { name: 'template_sync_failures', default: 0 })
  templateSyncFailures: number;

  /** When a genuine webhook of it last came, to the minute. */
  @Column('timestamptz', { name: 'webhook_seen_at', nullable: true })
  webhookSeenAt: Date | null;

  /** Begin and end of the latest period in which its receipts came without a gap of UNKNOWN_OUTCOME_WINDOW. */
  @Column('timestamptz', { name: 'receipts_seen_since', nullable: true })
  receiptsSeenSince: Date | null;

  @Column('timestamptz', { name: 'receipts_seen_until', nullable: true })
  receiptsSeenUntil: Date | null;

  /** The provider's id of the business that owns it and shares its limit; null while it is not known. */
  @Column('text', { name: 'portfolio_id', nullable: true })
  portfolioId: string | null;

  @Column('timestamptz', { name: 'portfolio_asked_at', nullable: true })
  portfolioAskedAt: Date | null;

  /** People whom its portfolio has reached in 24 hours, as far as the tenant's accounts go; see PortfolioUseService. */
  @Column('integer', { nullable: true })
  recipients: number | null;

  /** Whether there are more than `recipients` says: they are counted up to a limit. */
  @Column('boolean', { name: 'recipients_is_more', default: false })
  recipientsIsMore: boolean;

  @Column('timestamptz', { name: 'recipients_counted_at', nullable: true })
  recipientsCountedAt: Date | null;

  /** When they are counted next. */
  @Column('timestamptz', { name: 'recipients_due_at', default: () => 'now()' })
  recipientsDueAt: Date;

  /** The time of its last ban, restriction or removal, or of the end of one; earlier events no longer count. */
  @Column('timestamptz', { name: 'state_event_at', nullable: true })
  stateEventAt: Date | null;

  /** Null where the provider has declared nothing, as for most. */
  @Column('jsonb', { name: 'auth_international', nullable: true })
  authInternational: AuthInternational | null;

  /** When this was declared (by the provider's clock), or entered by hand. */
  @Column('timestamptz', { name: 'auth_international_at', nullable: true })
  authInternationalAt: Date | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
