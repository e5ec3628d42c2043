import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import { BusinessAccount } from './business-account.entity.js';
import { MessagingAccount } from './messaging-account.entity.js';

/** A number's move to another business account. Kept for ever: a message may be scheduled a year ahead. */
@Entity('number_moves')
@Index('number_moves_number_idx', ['messagingAccountId'])
@Index('number_moves_open_key', ['messagingAccountId'], { unique: true, where: 'finished_at IS NULL' })
export class NumberMove {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'BY DEFAULT' })
  id: number;

  @Column('integer', { name: 'messaging_account_id' })
  messagingAccountId: number;

  @ManyToOne(() => MessagingAccount)
  @JoinColumn({
    name: 'messaging_account_id',
    foreignKeyConstraintName: 'number_moves_messaging_account_fk',
  })
  messagingAccount?: MessagingAccount;

  @Column('uuid', { name: 'from_business_account_id' })
  fromBusinessAccountId: string;

  @ManyToOne(() => BusinessAccount)
  @JoinColumn({ name: 'from_business_account_id', foreignKeyConstraintName: 'number_moves_from_fk' })
  fromBusinessAccount?: BusinessAccount;

  @Column('uuid', { name: 'to_business_account_id' })
  toBusinessAccountId: string;

  @ManyToOne(() => BusinessAccount)
  @JoinColumn({ name: 'to_business_account_id', foreignKeyConstraintName: 'number_moves_to_fk' })
  toBusinessAccount?: BusinessAccount;

  /** The number's id at the provider before the move. */
  @Column('text', { name: 'from_phone_number_id' })
  fromPhoneNumberId: string;

  @Column('timestamptz', { name: 'moved_at' })
  movedAt: Date;

  /** Until when receipts under the former account count. */
  @Column('timestamptz', { name: 'receipts_until' })
  receiptsUntil: Date;

  /** How many waiting messages have got a template of the new account so far. */
  @Column('integer', { default: 0 })
  bound: number;

  /** How many are held, as the new account has no template of their name and language. */
  @Column('integer', { default: 0 })
  unbound: number;

  /** When messages were last bound in this move; at first, when it began. */
  @Column('timestamptz', { name: 'worked_at' })
  workedAt: Date;

  /** When all messages that waited at the time of the move were bound or held; null until then. */
  @Column('timestamptz', { name: 'finished_at', nullable: true })
  finishedAt: Date | null;
}
