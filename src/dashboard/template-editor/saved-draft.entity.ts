import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { BusinessAccount } from '../../accounts/business-account.entity.js';
import { DashboardUser } from '../../accounts/dashboard-user.entity.js';
import { Tenant } from '../../accounts/tenant.entity.js';
import type { TemplateDraft } from '../../templates/domain/template-draft.js';

/** A template that a user is writing, as it was last saved. */
@Entity('template_drafts')
export class SavedDraft {
  @PrimaryColumn('uuid', { name: 'user_id' })
  userId: string;

  @ManyToOne(() => DashboardUser, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'template_drafts_user_fk' })
  user?: DashboardUser;

  /** Chosen by the page: `template-12` for the edit of a template, anything unique for a new one. */
  @PrimaryColumn('text')
  key: string;

  @Column('uuid', { name: 'tenant_id' })
  tenantId: string;

  @ManyToOne(() => Tenant)
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'template_drafts_tenant_fk' })
  tenant?: Tenant;

  @Column('uuid', { name: 'business_account_id', nullable: true })
  businessAccountId: string | null;

  @ManyToOne(() => BusinessAccount)
  @JoinColumn({
    name: 'business_account_id',
    foreignKeyConstraintName: 'template_drafts_business_account_fk',
  })
  businessAccount?: BusinessAccount;

  @Column('jsonb')
  draft: TemplateDraft;

  /** Counts the saves. */
  @Column('integer')
  revision: number;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;
}
