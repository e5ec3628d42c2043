import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Which message repeats another one: its key, written by a trigger, forbids a second. */
@Entity('message_retries')
export class MessageRetry {
  @PrimaryColumn('bigint', { name: 'retry_of', primaryKeyConstraintName: 'message_logs_retry_of_key' })
  retryOf: number;

  @Column('bigint', { name: 'message_log_id' })
  messageLogId: number;
}
