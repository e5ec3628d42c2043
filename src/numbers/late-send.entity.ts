import { Entity, PrimaryColumn } from 'typeorm';

/** That a message was sent more than an hour after it was accepted; kept for a day, for the use of its portfolio. */
@Entity('late_sends')
export class LateSend {
  @PrimaryColumn('uuid', { name: 'tenant_id' })
  tenantId: string;

  @PrimaryColumn('timestamptz', { name: 'sent_at' })
  sentAt: Date;

  @PrimaryColumn('bigint', { name: 'message_log_id' })
  messageLogId: number;
}
