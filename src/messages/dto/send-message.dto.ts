import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  Equals,
  IsArray,
  IsBoolean,
  IsNotEmpty,
  IsOptional,
  IsString,
  MaxLength,
  ValidateIf,
} from 'class-validator';
import { Compiled } from '../../http/compiled-validation.js';
import { NestedObject, NestedObjects } from '../../http/validators.js';
import { ComponentDto } from './component.dto.js';
import { IsIsoDateTime } from '../schedule/is-iso-date-time.js';

@ApiSchema({ name: 'TemplateData', description: 'Which template to send, and what to put into it.' })
export class TemplateDataDto {
  /**
   * Template name.
   * @example 'order_update'
   */
  @ApiProperty({ minLength: 1 })
  @IsString()
  @IsNotEmpty()
  @MaxLength(512)
  name: string;

  /**
   * Template language code, matched exactly: `en_US` is not `en`.
   * @example 'en_US'
   */
  @ApiProperty({ minLength: 1 })
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(20)
  language_code?: string = 'en_US';

  /**
   * The parameters, in the provider's template-message format. Required when the template has an image, video or
   * document header; omitted when the template has nothing to fill in.
   */
  @ApiProperty({ maxItems: 20 })
  @IsOptional()
  @NestedObjects(() => ComponentDto, 20)
  components?: ComponentDto[];

  /**
   * Instead of a body component: one text for each placeholder of the body, in order. Header and button components
   * may stand beside it.
   * @example ['Amal', 'A-1001']
   */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(1_024)
  @IsString({ each: true })
  @MaxLength(32_768, { each: true })
  params?: string[];
}

@Compiled()
@ApiSchema({ name: 'SendRequest', description: 'A template message to send; unknown fields are refused.' })
export class SendMessageDto {
  /**
   * The account to send from: the API ID in the dashboard's numbers section. Required, except with `data.params` for a
   * tenant that has exactly one account.
   * @example 'acc_DemoSalesNumber00001'
   */
  @ApiProperty({ minLength: 1 })
  @ValidateIf(
    (body: SendMessageDto) => body.messaging_account_id !== undefined || (body.data?.params ?? null) === null,
  )
  @IsString()
  @IsNotEmpty()
  @MaxLength(100)
  messaging_account_id?: string;

  /**
   * The recipient's phone number with country code, `+` or none; blanks, dots, dashes and brackets are ignored.
   * @example '+12025550100'
   */
  @ApiProperty({ minLength: 1 })
  @IsString()
  @IsNotEmpty()
  @MaxLength(64)
  phone: string;

  /** Always `template`. */
  @ApiProperty({ enum: ['template'], example: 'template' })
  @Equals('template')
  message_type: 'template';

  /** Which template to send, and what to put into it. */
  @NestedObject(() => TemplateDataDto)
  data: TemplateDataDto;

  /**
   * ISO 8601 date and time to send at. With an offset or `Z` it is that instant; without one it is wall time in
   * `timezone`. At most 365 days ahead.
   * @example '2026-12-24T18:00:00'
   */
  // Documented without "format: date-time", which knows no wall time.
  @IsOptional()
  @IsIsoDateTime()
  scheduled_at?: string;

  /**
   * IANA time zone; required when `scheduled_at` is set.
   * @example 'Asia/Dubai'
   */
  @IsOptional()
  @IsString()
  @MaxLength(100)
  timezone?: string;

  /**
   * When the provider rejects the message because the recipient's marketing cap is reached (error 131049): try once
   * more, 26 hours later, by a new message that is charged as any other.
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  auto_retry_on_frequency_cap?: boolean = false;
}
