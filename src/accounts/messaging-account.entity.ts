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
import { BusinessAccount } from './business-account.entity.js';
import { Tenant } from './tenant.entity.js';

/** A sending phone number of a business account; the API knows it by `apiId`. */
@Entity('messaging_accounts')
@Unique('messaging_accounts_api_id_key', ['apiId'])
@Unique('messaging_accounts_phone_number_id_key', ['phoneNumberId'])
@Index('messaging_accounts_tenant_idx', ['tenantId'])
@Index('messaging_accounts_read_due_idx', ['readDueAt'])
export class MessagingAccount {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'BY DEFAULT' })
  id: number;

  /** The `messaging_account_id` of the API: `acc_` and 20 characters. */
  @Column('text', { name: 'api_id' })
  apiId: string;

  @Column('uuid', { name: 'tenant_id' })
  tenantId: string;

  @ManyToOne(() => Tenant)
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'messaging_accounts_tenant_fk' })
  tenant?: Tenant;

  @Column('uuid', { name: 'business_account_id' })
  businessAccountId: string;

  @ManyToOne(() => BusinessAccount)
  @JoinColumn({
    name: 'business_account_id',
    foreignKeyConstraintName: 'messaging_accounts_business_account_fk',
  })
  businessAccount?: BusinessAccount;

  /** The number's id at the provider. */
  @Column('text', { name: 'phone_number_id' })
  phoneNumberId: string;

  /** Digits only. */
  @Column('text')
  phone: string;

  @Column('text')
  name: string;

  @Column('integer', { name: 'messages_per_second', default: 80 })
  messagesPerSecond: number;

  /** The provider's rating: GREEN, YELLOW, RED or UNKNOWN. */
  @Column('text', { nullable: true })
  quality: string | null;

  /** The provider's, such as CONNECTED. */
  @Column('text', { nullable: true })
  status: string | null;

  /** The provider's level: STANDARD or HIGH. */
  @Column('text', { nullable: true })
  throughput: string | null;

  /** The tier of the whole portfolio, such as TIER_2K: people in 24 hours. */
  @Column('text', { name: 'messaging_limit', nullable: true })
  messagingLimit: string | null;

  /** When the provider said so. */
  @Column('timestamptz', { name: 'messaging_limit_at', nullable: true })
  messagingLimitAt: Date | null;

  /** When the provider last answered the question for these four. */
  @Column('timestamptz', { name: 'read_at', nullable: true })
  readAt: Date | null;

  /** When it is asked next. */
  @Column('timestamptz', { name: 'read_due_at', default: () => 'now()' })
  readDueAt: Date;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
