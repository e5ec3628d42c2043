import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsIn, IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import { Compiled } from '../../http/compiled-validation.js';
import { SuccessResponse } from '../../openapi/dto/success-response.dto.js';
import { TEMPLATE_STATUSES, type TemplateStatus } from '../domain/template-status.js';

const CATEGORIES = ['MARKETING', 'UTILITY', 'AUTHENTICATION'] as const;
const HEADER_TYPES = ['none', 'text', 'image', 'video', 'document'] as const;

const TEMPLATE_STATUS_MEANINGS = `
| status | meaning |
| --- | --- |
| \`PENDING\` | submitted, awaiting the provider's review |
| \`APPROVED\` | ready to send |
| \`REJECTED\` | rejected by the provider |
| \`PAUSED\` | paused by the provider for its quality |
| \`DISABLED\` | disabled by the provider |`.trim();

@Compiled()
export class ListTemplatesQuery {
  /**
   * The account's API ID, from the dashboard's numbers section.
   * @example 'acc_DemoSalesNumber00001'
   */
  @ApiProperty({ minLength: 1 })
  @IsString()
  @IsNotEmpty()
  @MaxLength(100)
  messaging_account_id: string;

  /** Only templates of this status. */
  @ApiProperty({ enum: TEMPLATE_STATUSES, enumName: 'TemplateStatus', required: false })
  @IsOptional()
  @IsIn(TEMPLATE_STATUSES)
  status?: TemplateStatus;
}

@ApiSchema({ name: 'TemplateListItem', description: 'A template as the list operation returns it.' })
export class TemplateListItem {
  /**
   * Used as `data.name` when sending.
   * @example 'order_update'
   */
  @ApiProperty()
  name: string;

  /**
   * Language code; `data.language_code` must be exactly this.
   * @example 'en_US'
   */
  @ApiProperty()
  language: string;

  /** What the template is for; it decides the cost. */
  @ApiProperty({
    enum: CATEGORIES,
    enumName: 'TemplateCategory',
    enumSchema: {
      description:
        '`MARKETING`: promotion. `UTILITY`: transactional updates. `AUTHENTICATION`: one-time codes.',
    },
    example: 'UTILITY',
  })
  category: (typeof CATEGORIES)[number];

  /** Only `APPROVED` templates can be sent. */
  @ApiProperty({
    enum: TEMPLATE_STATUSES,
    enumName: 'TemplateStatus',
    enumSchema: { description: TEMPLATE_STATUS_MEANINGS },
    example: 'APPROVED',
  })
  status: TemplateStatus;

  /**
   * Number of placeholders in the body.
   * @example 2
   */
  @ApiProperty({ type: 'integer', minimum: 0 })
  params_count: number;

  /**
   * Body text with placeholders written as double-brace numbers, or names.
   * @example 'Hello {{1}}, your order {{2}} is on its way.'
   */
  @ApiProperty({ type: String, nullable: true })
  body: string | null;

  /** With `image`, `video` and `document`, every send needs a header component with such media. */
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
   */
  @ApiProperty({ type: String, format: 'uri', nullable: true, example: null })
  header_sample_media_url: string | null;

  /** Footer text, null when there is none. */
  @ApiProperty({ type: String, nullable: true, example: null })
  footer: string | null;
}

@ApiSchema({ name: 'TemplateListResponse' })
export class TemplateListResponse extends SuccessResponse {
  /** The account's templates, by name and language. */
  data: TemplateListItem[];
}

/** Two of the demo's templates. */
export const TEMPLATE_LIST_EXAMPLE: TemplateListResponse = {
  success: true,
  data: [
    {
      name: 'order_update',
      language: 'en_US',
      category: 'UTILITY',
      status: 'APPROVED',
      params_count: 2,
      body: 'Hello {{1}}, your order {{2}} is on its way.',
      header_type: 'none',
      header: null,
      header_sample_media_url: null,
      footer: 'Demo shop',
    },
    {
      name: 'spring_offer',
      language: 'en_US',
      category: 'MARKETING',
      status: 'APPROVED',
      params_count: 2,
      body: 'Dear {{1}}, everything is {{2}} off until Sunday.',
      header_type: 'image',
      header: null,
      header_sample_media_url: 'https://example.com/samples/spring.jpg',
      footer: 'Reply STOP to opt out',
    },
  ],
};
