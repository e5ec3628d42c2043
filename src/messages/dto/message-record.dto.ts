import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsISO8601, IsOptional, IsString, Matches, Max, MaxLength, Min } from 'class-validator';
import { MESSAGE_STATUSES, type MessageStatus } from '../domain/message-status.js';
import { ComponentDto } from './component.dto.js';

const CATEGORIES = ['MARKETING', 'UTILITY', 'AUTHENTICATION'] as const;
const INT8_MAX_DIGITS = /^\d{1,15}$/;

export class TemplateReference {
  /** @example 'order_update' */
  name: string;

  /** @example 'en_US' */
  language: string;
}

/** Why a message ended without delivery. */
export class MessageErrorDto {
  /** The provider's error code; null when the fault was found by the service. */
  @ApiProperty({ type: 'integer', nullable: true, example: 131026 })
  code: number | null;

  /** @example 'Message undeliverable' */
  title: string;

  @ApiProperty({ type: String, nullable: true })
  details: string | null;
}

/** Something that happened to the message. */
export class MessageEventDto {
  /** @example 'delivered' */
  event: string;

  /** By the provider's clock where the provider says so. */
  @ApiProperty({ format: 'date-time' })
  occurred_at: string;

  @ApiProperty({ format: 'date-time' })
  recorded_at: string;

  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  details: Record<string, unknown> | null;
}

/** The message log record; times are ISO 8601 UTC. */
export class MessageSummary {
  /** @example 1 */
  @ApiProperty({ type: 'integer' })
  message_log_id: number;

  /** @example 'acc_DemoSalesNumber00001' */
  messaging_account_id: string;

  /**
   * Digits only.
   * @example '14155550123'
   */
  phone: string;

  template: TemplateReference;

  /** The frozen copy of what is sent. */
  components: ComponentDto[];

  @ApiProperty({ enum: MESSAGE_STATUSES, enumName: 'MessageStatus', example: 'read' })
  status: MessageStatus;

  @ApiProperty({ enum: CATEGORIES, enumName: 'TemplateCategory' })
  conversation_category: (typeof CATEGORIES)[number];

  /** @example 0.0157 */
  cost: number;

  /** @example 'USD' */
  currency: string;

  @ApiProperty({ format: 'date-time', type: String, nullable: true })
  scheduled_at: string | null;

  @ApiProperty({ type: String, nullable: true })
  timezone: string | null;

  auto_retry_on_frequency_cap: boolean;

  /** 1 on the message that an auto-retry made, else 0. */
  @ApiProperty({ type: 'integer', example: 0 })
  retry_count: number;

  /** The message that this auto-retry repeats. */
  @ApiProperty({ type: 'integer', nullable: true, example: null })
  retry_of: number | null;

  /** Calls to the provider. */
  @ApiProperty({ type: 'integer', example: 1 })
  attempts: number;

  /** @example 'wamid.HBgLMTQxNTU1NTAxMjM' */
  @ApiProperty({ type: String, nullable: true })
  provider_message_id: string | null;

  @ApiProperty({ type: () => MessageErrorDto, nullable: true })
  error: MessageErrorDto | null;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty({ format: 'date-time', type: String, nullable: true })
  sent_at: string | null;

  @ApiProperty({ format: 'date-time', type: String, nullable: true })
  delivered_at: string | null;

  @ApiProperty({ format: 'date-time', type: String, nullable: true })
  read_at: string | null;

  @ApiProperty({ format: 'date-time', type: String, nullable: true })
  failed_at: string | null;

  @ApiProperty({ format: 'date-time', type: String, nullable: true })
  canceled_at: string | null;
}

export class MessageRecord extends MessageSummary {
  /** What happened to it, oldest first. */
  events: MessageEventDto[];
}

export class ListMessagesQuery {
  /** Only messages sent from this account. */
  @IsOptional()
  @IsString()
  @MaxLength(100)
  messaging_account_id?: string;

  @ApiProperty({ enum: MESSAGE_STATUSES, enumName: 'MessageStatus', required: false })
  @IsOptional()
  @IsIn(MESSAGE_STATUSES)
  status?: MessageStatus;

  /** Only messages to this number, in any notation that a send takes. */
  @IsOptional()
  @IsString()
  @MaxLength(64)
  phone?: string;

  /** Only messages with the template of this name. */
  @IsOptional()
  @IsString()
  @MaxLength(512)
  template?: string;

  /** Only messages accepted at this time or later. */
  @ApiProperty({ format: 'date-time', required: false })
  @IsOptional()
  @IsISO8601({ strict: true })
  created_from?: string;

  /** Only messages accepted before this time. */
  @ApiProperty({ format: 'date-time', required: false })
  @IsOptional()
  @IsISO8601({ strict: true })
  created_to?: string;

  /** Messages in a page. */
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  limit: number = 50;

  /** The `next_cursor` of the page before. */
  @IsOptional()
  @IsString()
  @MaxLength(200)
  cursor?: string;
}

export class MessagePath {
  /** @example '1' */
  @Matches(INT8_MAX_DIGITS, { message: 'message_log_id must be an integer' })
  message_log_id: string;
}
