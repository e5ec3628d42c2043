import { Transform, Type } from 'class-transformer';
import { IsBoolean, IsOptional, IsString, IsUUID, Matches, MaxLength, ValidateIf } from 'class-validator';
import { IsInteger, NestedObject } from '../../../http/validators.js';
import { DraftDto } from './draft.dto.js';

const KEY = /^[\w-]{1,64}$/;

export class DraftKey {
  @Matches(KEY)
  key: string;
}

export class TemplateId {
  @Type(() => Number)
  @IsInteger(1)
  id: number;
}

/** What the editor is opened with: nothing, an unfinished draft, a template to edit, or one to copy. */
export class StartQuery {
  @IsOptional()
  @Matches(KEY)
  key?: string;

  @IsOptional()
  @Type(() => Number)
  @IsInteger(1)
  template_id?: number;

  @IsOptional()
  @Type(() => Number)
  @IsInteger(1)
  copy?: number;

  /** The language of the copy. */
  @IsOptional()
  @IsString()
  @MaxLength(20)
  language?: string;
}

export class SaveDraftRequest {
  /** The revision that the change was made to; 0 for a new draft. */
  @IsInteger(0)
  revision: number;

  @ValidateIf((_object, value) => value !== null)
  @IsUUID()
  business_account_id: string | null;

  @NestedObject(() => DraftDto)
  draft: DraftDto;
}

class Submission {
  /** The saved draft that is deleted after it. */
  @IsOptional()
  @Matches(KEY)
  draft_key?: string;

  @NestedObject(() => DraftDto)
  draft: DraftDto;
}

export class CreateTemplateRequest extends Submission {
  @IsUUID()
  business_account_id: string;
}

export class EditTemplateRequest extends Submission {}

export class DeleteTemplateQuery {
  @IsOptional()
  @Transform(({ value }) => (value === 'true' ? true : value === 'false' ? false : value))
  @IsBoolean()
  all_languages?: boolean;
}

export class HeaderSampleQuery {
  @IsString()
  @MaxLength(255)
  file_name: string;

  @IsUUID()
  business_account_id: string;
}
