import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What became of the messages that were accepted within an hour; written by MessageStatsService only. */
@Entity('message_stats')
export class MessageStats {
  @PrimaryColumn('uuid', { name: 'tenant_id' })
  tenantId: string;

  /** The beginning of the hour, in UTC. */
  @PrimaryColumn('timestamptz')
  hour: Date;

  @PrimaryColumn('integer', { name: 'messaging_account_id' })
  messagingAccountId: number;

  @PrimaryColumn('integer', { name: 'template_id' })
  templateId: number;

  @PrimaryColumn('text')
  category: string;

  @PrimaryColumn('text')
  currency: string;

  @Column('integer')
  accepted: number;

  /** Taken by the provider, whatever happened to them afterwards. */
  @Column('integer')
  sent: number;

  @Column('integer')
  delivered: number;

  @Column('integer')
  read: number;

  @Column('integer')
  failed: number;

  /** Failed because the recipient has stopped marketing messages from this sender: 131050. */
  @Column('integer', { name: 'opted_out' })
  optedOut: number;

  /** Failed because the recipient has reached the provider's cap of marketing messages: 131049. */
  @Column('integer', { default: 0 })
  capped: number;

  /** The cost of messages that are neither failed nor canceled; a decimal with six places, as text. */
  @Column('numeric', { precision: 18, scale: 6 })
  cost: string;

  /** When the last of them is, or was, due. */
  @Column('timestamptz', { name: 'last_due_at' })
  lastDueAt: Date;
}

/** When each pass over the messages counts next, and when it last did. */
@Entity('message_stats_passes')
export class MessageStatsPass {
  @PrimaryColumn('text')
  name: string;

  @Column('timestamptz', { name: 'due_at' })
  dueAt: Date;

  @Column('timestamptz', { name: 'counted_at', nullable: true })
  countedAt: Date | null;
}
