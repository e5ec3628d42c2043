import {
  IsBoolean,
  IsIn,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  MaxLength,
  ValidateBy,
} from 'class-validator';
import type { CampaignMapping } from '../../campaigns/domain/mapping.js';
import { ROW_STATES, type RowState } from '../../campaigns/domain/campaign-status.js';
import { IsInteger, NestedObject } from '../../http/validators.js';
import { IsIsoDateTime } from '../../messages/schedule/is-iso-date-time.js';
import { PageQuery } from '../page-query.dto.js';

const MAX_SLOTS = 1_100;
const MAX_TEXT = 32_768;

class TemplateChoice {
  @IsString()
  @IsNotEmpty()
  @MaxLength(512)
  name: string;

  @IsString()
  @IsNotEmpty()
  @MaxLength(20)
  language: string;
}

export class CreateCampaignBody {
  @IsString()
  @IsNotEmpty()
  @MaxLength(120)
  name: string;

  @IsString()
  @IsNotEmpty()
  @MaxLength(100)
  messaging_account_id: string;

  @NestedObject(() => TemplateChoice)
  template: TemplateChoice;
}

export class EditCampaignBody {
  /** The revision that was read last: later changes are not overwritten. */
  @IsInteger(0)
  revision: number;

  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(120)
  name?: string;

  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(100)
  messaging_account_id?: string;

  @IsOptional()
  @NestedObject(() => TemplateChoice)
  template?: TemplateChoice;

  @IsOptional()
  @IsObject()
  @IsMapping()
  mapping?: CampaignMapping;

  @IsOptional()
  @IsBoolean()
  auto_retry?: boolean;
}

export class StartCampaignBody {
  @IsInteger(0)
  revision: number;

  @IsOptional()
  @IsBoolean()
  leave_out_faulty?: boolean;

  @IsOptional()
  @IsIsoDateTime()
  scheduled_at?: string;

  @IsOptional()
  @IsString()
  @MaxLength(100)
  timezone?: string;
}

export class UploadQuery {
  @IsString()
  @IsNotEmpty()
  @MaxLength(240)
  file_name: string;
}

export class RowsQuery extends PageQuery {
  /** Only rows with a fault. */
  @IsOptional()
  @IsIn(['true'])
  faulty?: 'true';

  @IsOptional()
  @IsIn(ROW_STATES)
  state?: RowState;
}

/** Each slot with its source: a column by its position, or a text for everyone. */
function IsMapping() {
  return ValidateBy({
    name: 'isMapping',
    validator: {
      validate: (value) =>
        typeof value === 'object' &&
        value !== null &&
        Object.keys(value).length <= MAX_SLOTS &&
        Object.values(value).every(isSource),
      defaultMessage: () => 'each source must be {"column": position} or {"text": …}',
    },
  });
}

function isSource(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 1) return false;
  const { column, text } = value as { column?: unknown; text?: unknown };
  if (column !== undefined) return Number.isInteger(column) && (column as number) >= 0;
  return typeof text === 'string' && text.length <= MAX_TEXT;
}
