import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  Equals,
  IsArray,
  IsBoolean,
  IsIn,
  IsNotEmpty,
  IsOptional,
  IsString,
  MaxLength,
  ValidateIf,
} from 'class-validator';
import { Compiled } from '../../http/compiled-validation.js';
import { NestedObject, NestedObjects } from '../../http/validators.js';
import { ComponentDto } from './component.dto.js';
import { IsMaxCost, MAX_COST_SCHEMA } from './max-cost.js';
import { IsMetadata, IsReference, METADATA_SCHEMA, REFERENCE_SCHEMA } from './own-data.js';
import { IsInstant, IsIsoDateTime } from '../schedule/is-iso-date-time.js';

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

const CATEGORIES = ['MARKETING', 'UTILITY', 'AUTHENTICATION'] as const;

@ApiSchema({
  name: 'Expectation',
  description: 'What the template has to be; what is left out may be anything.',
})
export class ExpectationDto {
  /** Its category at the provider, by which the message is priced. */
  @ApiProperty({ enum: CATEGORIES, enumName: 'TemplateCategory', required: false })
  @IsOptional()
  @IsIn(CATEGORIES)
  category?: (typeof CATEGORIES)[number];

  /**
   * Stands for its content: `template.version` in the answer of validate and on message records.
   * @example '90cb4669c449c84b174f865118b608e2'
   */
  @ApiProperty({ minLength: 1 })
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(64)
  template_version?: string;
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
   * more, 26 hours later, by a new message that is charged as any other; not where its `valid_until` ends before that.
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  auto_retry_on_frequency_cap?: boolean = false;

  /** Your own id of the message: on its record, and a filter of the list. Not unique. */
  @ApiProperty({ ...REFERENCE_SCHEMA, example: 'order-A-1001' })
  @IsOptional()
  @IsReference()
  client_reference?: string;

  /** Your own data: on the record, and never at the provider. */
  @ApiProperty({ ...METADATA_SCHEMA, example: { campaign: 'autumn', shop: '7' } })
  @IsOptional()
  @IsMetadata()
  metadata?: Record<string, string>;

  /**
   * ISO 8601 date and time with an offset or `Z`, after the time at which the message is due. A message that could not be
   * handed to the provider by then fails with `EXPIRED`, whatever held it up, and is refunded.
   */
  // Documented without "format: date-time", which knows fewer notations.
  @ApiProperty({ type: String, example: '2026-12-24T20:00:00+04:00' })
  @IsOptional()
  @IsInstant()
  valid_until?: string;

  /**
   * What the message may cost, as a decimal in the currency of its cost. Above it, the message is refused with
   * `COST_ABOVE_MAX`; where its price has changed before it leaves, it fails with it and is refunded. The record has it
   * rounded down to six places, which prices have, and at most 99999999.999999.
   */
  @ApiProperty({ ...MAX_COST_SCHEMA, example: 0.01 })
  @IsOptional()
  @IsMaxCost()
  max_cost?: number | string;

  /**
   * What the template has to be. Otherwise the message is refused with `EXPECTATION_FAILED`; where the provider changes the
   * template before it leaves, it fails with it and is refunded.
   */
  @IsOptional()
  @NestedObject(() => ExpectationDto)
  expect?: ExpectationDto;
}
