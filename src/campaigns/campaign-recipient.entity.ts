import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Campaign } from './campaign.entity.js';
import type { RowFault, RowState } from './domain/campaign-status.js';

/** One row of a campaign's file. Its message is the one whose `campaign_id` and `campaign_row` name it. */
@Entity('campaign_recipients')
@Check('campaign_recipients_state_check', `state IN ('pending', 'accepted', 'refused', 'skipped')`)
@Index('campaign_recipients_pending_idx', ['campaignId', 'rowNumber'], { where: `state = 'pending'` })
@Index('campaign_recipients_fault_idx', ['campaignId', 'rowNumber'], { where: 'fault IS NOT NULL' })
export class CampaignRecipient {
  @PrimaryColumn('integer', { name: 'campaign_id', primaryKeyConstraintName: 'campaign_recipients_pkey' })
  campaignId: number;

  @ManyToOne(() => Campaign, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'campaign_id', foreignKeyConstraintName: 'campaign_recipients_campaign_fk' })
  campaign?: Campaign;

  /** Counted as in a spreadsheet: the header is row 1. */
  @PrimaryColumn('integer', { name: 'row_number', primaryKeyConstraintName: 'campaign_recipients_pkey' })
  rowNumber: number;

  /** As uploaded, in the order of the campaign's columns. */
  @Column('jsonb')
  cells: string[];

  /** Digits only; null before the check, and when the cell has no valid phone. */
  @Column('text', { nullable: true })
  phone: string | null;

  @Column('jsonb', { nullable: true })
  fault: RowFault | null;

  @Column('text', { default: 'pending' })
  state: RowState;
}
