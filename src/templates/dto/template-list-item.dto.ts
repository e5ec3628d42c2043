import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsNotEmpty, IsOptional, IsString } from 'class-validator';
import { TEMPLATE_STATUSES, type TemplateStatus } from '../domain/template-status.js';

const CATEGORIES = ['MARKETING', 'UTILITY', 'AUTHENTICATION'] as const;
const HEADER_TYPES = ['none', 'text', 'image', 'video', 'document'] as const;

export class ListTemplatesQuery {
  /**
   * The account's API ID, from the dashboard's numbers section.
   * @example 'acc_DemoSalesNumber00001'
   */
  @IsString()
  @IsNotEmpty()
  messaging_account_id: string;

  /**
   * Only templates of this status.
   * @example 'APPROVED'
   */
  @ApiProperty({ enum: TEMPLATE_STATUSES, enumName: 'TemplateStatus', required: false })
  @IsOptional()
  @IsIn(TEMPLATE_STATUSES)
  status?: TemplateStatus;
}

/** A template as the list operation returns it. */
export class TemplateListItem {
  /**
   * Used as `data.name` when sending.
   * @example 'order_update'
   */
  name: string;

  /**
   * Language code; `data.language_code` must be exactly this.
   * @example 'en_US'
   */
  language: string;

  @ApiProperty({ enum: CATEGORIES, enumName: 'TemplateCategory', example: 'UTILITY' })
  category: (typeof CATEGORIES)[number];

  @ApiProperty({ enum: TEMPLATE_STATUSES, enumName: 'TemplateStatus', example: 'APPROVED' })
  status: TemplateStatus;

  /**
   * Number of placeholders in the body.
   * @example 2
   */
  @ApiProperty({ type: 'integer' })
  params_count: number;

  /**
   * Body text with placeholders written as double-brace numbers.
   * @example 'Hello {{1}}, your order {{2}} is on its way.'
   */
  @ApiProperty({ type: String, nullable: true })
  body: string | null;

  @ApiProperty({ enum: HEADER_TYPES, enumName: 'HeaderType', example: 'text' })
  header_type: (typeof HEADER_TYPES)[number];

  /**
   * Header text; null unless `header_type` is `text`.
   * @example 'Order update'
   */
  @ApiProperty({ type: String, nullable: true })
  header: string | null;

  /**
   * URL of the sample media on file with the provider; null unless `header_type` is `image`, `video` or `document`.
   * @example null
   */
  @ApiProperty({ type: String, nullable: true })
  header_sample_media_url: string | null;

  /** Footer text, null when there is none. */
  @ApiProperty({ type: String, nullable: true, example: null })
  footer: string | null;
}
