import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsNotEmpty, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { MESSAGE_STATUSES, type MessageStatus } from '../domain/message-status.js';
import { IsIsoDateTime } from '../schedule/is-iso-date-time.js';
import { IsReference, REFERENCE_SCHEMA } from './own-data.js';

const TIME = { type: 'string', format: 'date-time' } as const;

/** The filters of the list of messages. */
export class ListMessagesQuery {
  /** Only messages sent from this account. */
  @ApiProperty({ minLength: 1, examples: ['acc_DemoSalesNumber00001'] })
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(100)
  messaging_account_id?: string;

  /** Only messages of this status. */
  @ApiProperty({ enum: MESSAGE_STATUSES, enumName: 'MessageStatus', required: false })
  @IsOptional()
  @IsIn(MESSAGE_STATUSES)
  status?: MessageStatus;

  /** Only messages to this number, in any notation that a send takes. */
  @ApiProperty({ minLength: 1, examples: ['+12025550100'] })
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(64)
  phone?: string;

  /** Only messages with the template of this name. */
  @ApiProperty({ minLength: 1, examples: ['order_update'] })
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(512)
  template?: string;

  /** Only messages with this `client_reference`. */
  @ApiProperty({ ...REFERENCE_SCHEMA, required: false, examples: ['order-A-1001'] })
  @IsOptional()
  @IsReference()
  client_reference?: string;

  /** Only messages accepted at this time or later. Without an offset it is UTC. */
  @ApiProperty({ ...TIME, required: false, examples: ['2026-11-01T00:00:00Z'] })
  @IsOptional()
  @IsIsoDateTime()
  created_from?: string;

  /** Only messages accepted before this time. Without an offset it is UTC. */
  @ApiProperty({ ...TIME, required: false, examples: ['2026-12-01T00:00:00Z'] })
  @IsOptional()
  @IsIsoDateTime()
  created_to?: string;

  /** Messages in a page. */
  @ApiProperty({ type: 'integer', required: false })
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  limit: number = 50;

  /** The `next_cursor` of the page before, with the same filters. */
  @ApiProperty({ examples: ['MTc5NTI1NTIwMDAwMC4x'] })
  @IsOptional()
  @IsString()
  @MaxLength(200)
  cursor?: string;
}
