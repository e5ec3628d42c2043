import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Which message a row of a campaign has: its key forbids a second. */
@Entity('campaign_messages')
export class CampaignMessage {
  @PrimaryColumn('integer', { name: 'campaign_id', primaryKeyConstraintName: 'message_logs_campaign_key' })
  campaignId: number;

  @PrimaryColumn('integer', { name: 'campaign_row', primaryKeyConstraintName: 'message_logs_campaign_key' })
  campaignRow: number;

  @Column('bigint', { name: 'message_log_id' })
  messageLogId: number;
}
