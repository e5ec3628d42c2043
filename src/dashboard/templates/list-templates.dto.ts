import { Type } from 'class-transformer';
import { IsIn, IsNotEmpty, IsOptional, IsString, IsUUID, MaxLength } from 'class-validator';
import { IsInteger } from '../../http/validators.js';
import { TEMPLATE_STATUSES } from '../../templates/domain/template-status.js';

export const TEMPLATE_CATEGORIES = ['MARKETING', 'UTILITY', 'AUTHENTICATION'] as const;
export const QUALITIES = ['GREEN', 'YELLOW', 'RED', 'UNKNOWN'] as const;

/** The filters of the page's list. */
export class ListTemplatesQuery {
  /** Part of the name or of the texts. */
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  search?: string;

  @IsOptional()
  @IsIn(TEMPLATE_STATUSES)
  status?: string;

  @IsOptional()
  @IsIn(TEMPLATE_CATEGORIES)
  category?: string;

  @IsOptional()
  @IsString()
  @MaxLength(20)
  language?: string;

  @IsOptional()
  @IsIn(QUALITIES)
  quality?: string;

  @IsOptional()
  @IsString()
  @MaxLength(100)
  messaging_account_id?: string;

  @Type(() => Number)
  @IsInteger(1, 6_000)
  limit: number = 100;

  @IsOptional()
  @IsString()
  @MaxLength(2_000)
  cursor?: string;
}

export class SyncTemplatesBody {
  @IsUUID()
  business_account_id: string;
}
