import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsNotEmpty, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { MayBeMissing } from '../../http/validators.js';
import { SuccessResponse } from '../../openapi/dto/success-response.dto.js';
import {
  MAX_REASON,
  OPT_OUT_SCOPES,
  OPT_OUT_SOURCES,
  type OptOutScope,
  type OptOutSource,
} from '../domain/opt-out.js';

const SCOPE = {
  enum: OPT_OUT_SCOPES,
  enumName: 'OptOutScope',
  enumSchema: {
    description: `What the recipient wants no more. \`marketing\`: messages of MARKETING templates; those of UTILITY and
AUTHENTICATION templates are sent. \`all\`: any message, codes too.`,
  },
};

const SOURCE_MEANINGS = `
| source | meaning |
| --- | --- |
| \`api\` | a program, by this API |
| \`dashboard\` | a user of the dashboard |
| \`import\` | a file that was imported in the dashboard |
| \`provider\` | the provider: error 131050 to a message, or the recipient's own setting |
| \`keyword\` | the recipient, by a message that is one of the tenant's words, as STOP |`.trim();

const SOURCE = {
  enum: OPT_OUT_SOURCES,
  enumName: 'OptOutSource',
  enumSchema: { description: SOURCE_MEANINGS },
};

@ApiSchema({ name: 'PutOptOutRequest' })
export class PutOptOutBody {
  /** What is to be kept from the recipient. */
  @ApiProperty({ ...SCOPE, example: 'marketing' })
  @IsIn(OPT_OUT_SCOPES)
  scope: OptOutScope;

  /**
   * Your own note of why, for people to read.
   * @example 'Asked by phone'
   */
  @ApiProperty({ required: false, minLength: 1, maxLength: MAX_REASON })
  @MayBeMissing()
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_REASON)
  reason?: string;
}

export class ListOptOutsQuery {
  /**
   * Only the opt-out of this recipient; written as in a send.
   * @example '+12025550104'
   */
  @ApiProperty({ required: false, minLength: 1, maxLength: 50 })
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(50)
  phone?: string;

  /** Only those that were told so. */
  @ApiProperty({ ...SOURCE, required: false })
  @IsOptional()
  @IsIn(OPT_OUT_SOURCES)
  source?: OptOutSource;

  /** How many to answer at most. */
  @ApiProperty({ type: 'integer', required: false, minimum: 1, maximum: 100, default: 50 })
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  limit: number = 50;

  /** The `next_cursor` of the page before. */
  @ApiProperty({ required: false, minLength: 1, maxLength: 100 })
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(100)
  cursor?: string;
}

@ApiSchema({ name: 'OptOut', description: 'A recipient who wants no marketing, or no message at all.' })
export class OptOutDto {
  /**
   * The recipient's number, digits only. Numbers of Mexico, Argentina and Brazil, which have two spellings, have one here.
   * @example '12025550104'
   */
  @ApiProperty({ pattern: String.raw`^\d+$` })
  phone: string;

  /** What is kept from the recipient. */
  @ApiProperty({ ...SCOPE, example: 'marketing' })
  scope: OptOutScope;

  /** Who has told it. */
  @ApiProperty({ ...SOURCE, example: 'api' })
  source: OptOutSource;

  /** Why, if that is known; the recipient's or the provider's own words, where it was told so. */
  @ApiProperty({ type: String, nullable: true, example: 'Asked by phone' })
  reason: string | null;

  /** Since when; for `provider` and `keyword`, when the recipient has said so. */
  @ApiProperty({ type: 'string', format: 'date-time', example: '2026-11-21T10:00:00.000Z' })
  created_at: string;
}

@ApiSchema({ name: 'OptOutResponse' })
export class OptOutResponse extends SuccessResponse {
  /** The opt-out. */
  data: OptOutDto;
}

@ApiSchema({ name: 'OptOutListResponse' })
export class OptOutListResponse extends SuccessResponse {
  /** Newest first. */
  data: OptOutDto[];

  /** For the next page; null at the end. */
  @ApiProperty({ type: String, nullable: true, example: null })
  next_cursor: string | null;
}

export const OPT_OUT_EXAMPLE: OptOutDto = {
  phone: '12025550104',
  scope: 'marketing',
  source: 'api',
  reason: 'Asked by phone',
  created_at: '2026-11-21T10:00:00.000Z',
};
