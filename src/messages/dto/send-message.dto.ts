import { ApiProperty } from '@nestjs/swagger';
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
import { NestedObject, NestedObjects } from '../../common/validators.js';
import { ComponentDto } from './component.dto.js';
import { IsIsoDateTime } from './is-iso-date-time.js';

/** Which template to send, and what to put into it. */
export class TemplateDataDto {
  /**
   * Template name.
   * @example 'order_update'
   */
  @IsString()
  @IsNotEmpty()
  @MaxLength(512)
  name: string;

  /**
   * Template language code, matched exactly: `en_US` is not `en`.
   * @example 'en_US'
   */
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(20)
  language_code?: string = 'en_US';

  /**
   * The parameters, in the provider's template-message format. Required when the template has an image, video or
   * document header; omitted when the template has nothing to fill in.
   */
  @IsOptional()
  @NestedObjects(() => ComponentDto, 20)
  components?: ComponentDto[];

  /**
   * Instead of a body component: one text for each placeholder of the body, in order.
   * @example ['Amal', 'A-1001']
   */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(1_024)
  @IsString({ each: true })
  params?: string[];
}

export class SendMessageDto {
  /**
   * The account to send from: the API ID in the dashboard's numbers section. May be left out with `data.params` by a
   * tenant that has exactly one.
   * @example 'acc_DemoSalesNumber00001'
   */
  @ValidateIf(
    (body: SendMessageDto) => body.messaging_account_id !== undefined || body.data?.params === undefined,
  )
  @IsString()
  @IsNotEmpty()
  messaging_account_id?: string;

  /**
   * The recipient's phone number with country code.
   * @example '+14155550123'
   */
  @IsString()
  @IsNotEmpty()
  @MaxLength(64)
  phone: string;

  @ApiProperty({ enum: ['template'], example: 'template' })
  @Equals('template')
  message_type: 'template';

  @NestedObject(() => TemplateDataDto)
  data: TemplateDataDto;

  /**
   * ISO 8601 date and time to send at. With an offset or `Z` it is that instant; without one it is wall time in
   * `timezone`.
   */
  @ApiProperty({ format: 'date-time', required: false })
  @IsOptional()
  @IsIsoDateTime()
  scheduled_at?: string;

  /** IANA time zone, such as `Asia/Dubai`; required when `scheduled_at` is set. */
  @IsOptional()
  @IsString()
  @MaxLength(100)
  timezone?: string;

  /**
   * When the provider rejects the message because the recipient's marketing cap is reached (error 131049): try once
   * more, 26 hours later.
   */
  @IsOptional()
  @IsBoolean()
  auto_retry_on_frequency_cap?: boolean = false;
}
