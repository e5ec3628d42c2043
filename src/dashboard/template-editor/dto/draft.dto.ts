import { plainToInstance, Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  Equals,
  IsArray,
  IsBoolean,
  IsIn,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  MaxLength,
  ValidateIf,
  ValidateNested,
  isObject,
} from 'class-validator';
import { NestedObject } from '../../../http/validators.js';
import type { DraftButton, DraftHeader, TemplateDraft } from '../../../templates/domain/template-draft.js';
import { HEADER_KINDS } from '../../../templates/domain/template-draft.js';
import { IsTextMap } from './is-text-map.js';

/** What is being typed may be longer than the provider takes, but not without end. */
const TYPED = 20_000;
/** Handles and the provider's URLs. */
const HANDLE = 8_000;
const MOST_BUTTONS = 50;
const CATEGORIES = ['MARKETING', 'UTILITY', 'AUTHENTICATION'] as const;

const isGiven = (_object: unknown, value: unknown) => value !== null;

class HeaderDto implements DraftHeader {
  @IsIn(HEADER_KINDS)
  kind: DraftHeader['kind'];

  @IsString()
  @MaxLength(TYPED)
  text: string;

  @IsString()
  @MaxLength(TYPED)
  text_sample: string;

  @ValidateIf(isGiven)
  @IsString()
  @MaxLength(HANDLE)
  media_handle: string | null;

  @ValidateIf(isGiven)
  @IsString()
  @MaxLength(HANDLE)
  media_url: string | null;

  @ValidateIf(isGiven)
  @IsString()
  @MaxLength(HANDLE)
  file_name: string | null;
}

class AuthenticationDto {
  @IsBoolean()
  add_security_recommendation: boolean;

  @ValidateIf(isGiven)
  @IsNumber()
  code_expiration_minutes: number | null;

  @IsString()
  @MaxLength(TYPED)
  button_text: string;
}

class LabelledButtonDto {
  @IsString()
  @MaxLength(TYPED)
  text: string;
}

class QuickReplyDto extends LabelledButtonDto {
  @Equals('quick_reply')
  type: 'quick_reply';
}

class UrlButtonDto extends LabelledButtonDto {
  @Equals('url')
  type: 'url';

  @IsString()
  @MaxLength(TYPED)
  url: string;

  @IsString()
  @MaxLength(TYPED)
  sample: string;
}

class PhoneButtonDto extends LabelledButtonDto {
  @Equals('phone_number')
  type: 'phone_number';

  @IsString()
  @MaxLength(TYPED)
  phone_number: string;
}

class CopyCodeDto {
  @Equals('copy_code')
  type: 'copy_code';

  @IsString()
  @MaxLength(TYPED)
  sample: string;
}

const BUTTONS = {
  quick_reply: QuickReplyDto,
  url: UrlButtonDto,
  phone_number: PhoneButtonDto,
  copy_code: CopyCodeDto,
};

/** Stands for a button of an unknown type, so that it is refused. */
class UnknownButtonDto {
  @IsIn(Object.keys(BUTTONS))
  type: string;
}

/** Done by hand, as class-transformer's own discriminator fails when the value is no object. */
function asButton(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { type } = value as { type?: unknown };
  const known = Object.entries(BUTTONS).find(([name]) => name === type);
  return plainToInstance<object, unknown>(known?.[1] ?? UnknownButtonDto, value);
}

/** The shape of a draft; what it says is checked when it is submitted. */
export class DraftDto implements TemplateDraft {
  @IsString()
  @MaxLength(TYPED)
  name: string;

  @IsString()
  @MaxLength(20)
  language: string;

  @IsIn(CATEGORIES)
  category: TemplateDraft['category'];

  @IsIn(['POSITIONAL', 'NAMED'])
  parameter_format: TemplateDraft['parameter_format'];

  @NestedObject(() => HeaderDto)
  header: HeaderDto;

  @IsString()
  @MaxLength(TYPED)
  body: string;

  @IsTextMap()
  body_samples: Record<string, string>;

  @IsString()
  @MaxLength(TYPED)
  footer: string;

  @IsArray()
  @ArrayMaxSize(MOST_BUTTONS)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Transform(({ value }) => (Array.isArray(value) ? value.map(asButton) : value))
  buttons: DraftButton[];

  @IsOptional()
  @IsNumber()
  message_send_ttl_seconds?: number | null;

  @NestedObject(() => AuthenticationDto)
  authentication: AuthenticationDto;
}
