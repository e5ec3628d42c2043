import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryGeneratedColumn,
} from 'typeorm';
import { BusinessAccount } from '../accounts/business-account.entity.js';
import { Tenant } from '../accounts/tenant.entity.js';
import type { TemplateCategory, WireTemplateComponent } from '../provider/wire.js';
import type { TemplateStatus } from './domain/template-status.js';

/** A message template of a business account, as the provider last described it. */
@Entity('templates')
@Check('templates_status_check', `status IN ('PENDING', 'APPROVED', 'REJECTED', 'PAUSED', 'DISABLED')`)
@Index('templates_name_key', ['businessAccountId', 'name', 'language'], {
  unique: true,
  where: 'removed_at IS NULL',
})
@Index('templates_provider_id_idx', ['businessAccountId', 'providerTemplateId'])
export class Template {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'BY DEFAULT' })
  id: number;

  @Column('uuid', { name: 'tenant_id' })
  tenantId: string;

  @ManyToOne(() => Tenant)
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'templates_tenant_fk' })
  tenant?: Tenant;

  @Column('uuid', { name: 'business_account_id' })
  businessAccountId: string;

  @ManyToOne(() => BusinessAccount)
  @JoinColumn({ name: 'business_account_id', foreignKeyConstraintName: 'templates_business_account_fk' })
  businessAccount?: BusinessAccount;

  /** Text, as it may have 17 digits, more than a double holds. */
  @Column('text', { name: 'provider_template_id' })
  providerTemplateId: string;

  @Column('text')
  name: string;

  @Column('text')
  language: string;

  @Column('text')
  category: TemplateCategory;

  @Column('text')
  status: TemplateStatus;

  /** The status as it came from the provider, which knows more than five. */
  @Column('text', { name: 'provider_status' })
  providerStatus: string;

  @Column('text', { name: 'status_reason', nullable: true })
  statusReason: string | null;

  @Column('timestamptz', { name: 'status_changed_at', default: () => 'now()' })
  statusChangedAt: Date;

  /** While it is archived: its status before that, set by a trigger. */
  @Column('text', { name: 'status_before_archive', nullable: true })
  statusBeforeArchive: TemplateStatus | null;

  /** The provider's time of the last status that a webhook brought. Earlier ones that come later do not count. */
  @Column('timestamptz', { name: 'status_event_at', nullable: true })
  statusEventAt: Date | null;

  /** The same of the last update of its category, whether that had changed or was to change. */
  @Column('timestamptz', { name: 'category_event_at', nullable: true })
  categoryEventAt: Date | null;

  /** When a webhook changed the category. */
  @Column('timestamptz', { name: 'category_changed_at', nullable: true })
  categoryChangedAt: Date | null;

  @Column('text', { name: 'quality_score', nullable: true })
  qualityScore: string | null;

  /** The provider's time of the last quality that a webhook brought. */
  @Column('timestamptz', { name: 'quality_event_at', nullable: true })
  qualityEventAt: Date | null;

  /** When a webhook brought it. */
  @Column('timestamptz', { name: 'quality_changed_at', nullable: true })
  qualityChangedAt: Date | null;

  @Column('text', { name: 'parameter_format', default: 'POSITIONAL' })
  parameterFormat: 'POSITIONAL' | 'NAMED';

  /** Seconds for which the provider tries to deliver, -1 for 30 days; null for its default. */
  @Column('integer', { name: 'message_send_ttl_seconds', nullable: true })
  messageSendTtlSeconds: number | null;

  /** The provider's components. */
  @Column('jsonb', { name: 'body_json' })
  bodyJson: WireTemplateComponent[];

  /** Counts the changes of category, format and components, so that a send never rests on an older form. */
  @Column('integer', { default: 1 })
  revision: number;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  /** When the provider no longer knew it; kept for the messages that were sent with it. */
  @Column('timestamptz', { name: 'removed_at', nullable: true })
  removedAt: Date | null;
}
