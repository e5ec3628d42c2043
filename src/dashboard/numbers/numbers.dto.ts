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

/** An empty secret means: unchanged. */
const EmptyIsUnchanged = () => Transform(({ value }) => (value === '' ? undefined : value));

/** An empty id means: none. */
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

/** Without `access_token`, the stored one of the account is used. */
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

  /** Given when the number has another id at the provider after the move. */
  @EmptyIsUnchanged()
  @MayBeMissing()
  @IsProviderId()
  phone_number_id?: string;
}
