import { Transform } from 'class-transformer';
import { IsOptional, IsString, IsUUID, MaxLength } from 'class-validator';
import {
  IsAccessToken,
  IsAppSecret,
  IsInteger,
  IsLabel,
  IsProviderId,
  MayBeMissing,
} from '../../http/validators.js';

/** A secret that is left empty stays as it is. */
const EmptyIsUnchanged = () => Transform(({ value }) => (value === '' ? undefined : value));

/** An id that is left empty is none. */
const EmptyIsNone = () => Transform(({ value }) => (value === '' ? null : value));

export class BusinessAccountBody {
  @IsProviderId()
  waba_id: string;

  @EmptyIsNone()
  @IsOptional()
  @IsProviderId()
  app_id?: string | null;

  @IsAccessToken()
  access_token: string;

  @IsAppSecret()
  app_secret: string;
}

export class ChangeBusinessAccountBody {
  @EmptyIsNone()
  @IsOptional()
  @IsProviderId()
  app_id?: string | null;

  @EmptyIsUnchanged()
  @MayBeMissing()
  @IsAccessToken()
  access_token?: string;

  @EmptyIsUnchanged()
  @MayBeMissing()
  @IsAppSecret()
  app_secret?: string;
}

/** With the stored token of an account where none is given. */
export class TestBusinessAccountBody {
  @MayBeMissing()
  @IsUUID()
  business_account_id?: string;

  @IsProviderId()
  waba_id: string;

  @EmptyIsUnchanged()
  @MayBeMissing()
  @IsAccessToken()
  access_token?: string;
}

export class TestNumberBody {
  @IsUUID()
  business_account_id: string;

  @IsProviderId()
  phone_number_id: string;
}

export class NumberBody extends TestNumberBody {
  @IsString()
  @MaxLength(40)
  phone: string;

  @IsLabel()
  name: string;

  @IsInteger(1, 1_000)
  messages_per_second: number;
}

export class ChangeNumberBody {
  @MayBeMissing()
  @IsProviderId()
  phone_number_id?: string;

  @MayBeMissing()
  @IsString()
  @MaxLength(40)
  phone?: string;

  @MayBeMissing()
  @IsLabel()
  name?: string;

  @MayBeMissing()
  @IsInteger(1, 1_000)
  messages_per_second?: number;
}

export class MoveNumberBody {
  @IsUUID()
  business_account_id: string;

  /** Where the provider has given it another one. */
  @EmptyIsUnchanged()
  @MayBeMissing()
  @IsProviderId()
  phone_number_id?: string;
}
