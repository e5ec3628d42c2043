import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import { MessagingAccount } from '../accounts/messaging-account.entity.js';
import { Tenant } from '../accounts/tenant.entity.js';
import type { CampaignStatus, CampaignVerdict, PauseCause } from './domain/campaign-status.js';
import type { CampaignMapping } from './domain/mapping.js';

/** One template to the recipients of one file. Only the statements of campaign.store.ts change campaigns. */
@Entity('campaigns')
@Check(
  'campaigns_status_check',
  `status IN ('draft', 'scheduled', 'running', 'paused', 'canceled', 'finished')`,
)
@Index('campaigns_tenant_idx', ['tenantId', 'id'])
@Index('campaigns_open_idx', ['status'], { where: `status IN ('scheduled', 'running')` })
export class Campaign {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'BY DEFAULT' })
  id: number;

  @Column('uuid', { name: 'tenant_id' })
  tenantId: string;

  @ManyToOne(() => Tenant)
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'campaigns_tenant_fk' })
  tenant?: Tenant;

  @Column('integer', { name: 'messaging_account_id' })
  messagingAccountId: number;

  @ManyToOne(() => MessagingAccount)
  @JoinColumn({
    name: 'messaging_account_id',
    foreignKeyConstraintName: 'campaigns_messaging_account_fk',
  })
  messagingAccount?: MessagingAccount;

  @Column('text')
  name: string;

  @Column('text', { name: 'template_name' })
  templateName: string;

  @Column('text')
  language: string;

  @Column('text', { default: 'draft' })
  status: CampaignStatus;

  /** Why the service has paused it; null when a person did. */
  @Column('jsonb', { nullable: true })
  cause: PauseCause | null;

  /** Counts changes, so that what is started is what the user was shown. */
  @Column('integer', { default: 1 })
  revision: number;

  /** Identifies the latest upload: an older one can write no more rows. */
  @Column('uuid', { name: 'upload_token', nullable: true })
  uploadToken: string | null;

  @Column('text', { name: 'file_name', nullable: true })
  fileName: string | null;

  /** The file's header; null while there is no complete file. */
  @Column('jsonb', { nullable: true })
  columns: string[] | null;

  @Column('integer', { name: 'row_count', default: 0 })
  rowCount: number;

  @Column('jsonb', { default: {} })
  mapping: CampaignMapping;

  @Column('boolean', { name: 'auto_retry', default: false })
  autoRetry: boolean;

  /** The result of the latest check; null when this file with this mapping has not been checked. */
  @Column('jsonb', { nullable: true })
  verdict: CampaignVerdict | null;

  /** The template of the check, or of the last resumption. No foreign key: removed templates are kept anyway. */
  @Column('integer', { name: 'template_id', nullable: true })
  templateId: number | null;

  /** The revision of that template; another one is not sent before somebody has agreed. */
  @Column('integer', { name: 'template_revision', nullable: true })
  templateRevision: number | null;

  @Column('integer', { name: 'accepted_count', default: 0 })
  acceptedCount: number;

  @Column('integer', { name: 'refused_count', default: 0 })
  refusedCount: number;

  @Column('timestamptz', { name: 'starts_at', nullable: true })
  startsAt: Date | null;

  @Column('text', { nullable: true })
  timezone: string | null;

  /** The user's e-mail address, as it was then. */
  @Column('text', { name: 'created_by' })
  createdBy: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'started_at', nullable: true })
  startedAt: Date | null;

  /** When it was canceled, or had nothing more to send. */
  @Column('timestamptz', { name: 'ended_at', nullable: true })
  endedAt: Date | null;
}
