import {
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsEmail,
  IsIn,
  IsString,
  IsUUID,
  Matches,
  MaxLength,
  MinLength,
} from 'class-validator';
import { DASHBOARD_ROLES, type DashboardRole } from '../../accounts/dashboard-user.entity.js';
import { type Scope, SCOPES } from '../../accounts/domain/scopes.js';
import { MAX_PASSWORD, MIN_PASSWORD } from '../../accounts/domain/password.js';
import { MayBeMissing } from '../../http/validators.js';
import { SPEND_AMOUNT, SPEND_PERIODS, type SpendPeriod } from '../../spending/domain/spend-limit.js';
import { IsIsoDateTime } from '../../messages/schedule/is-iso-date-time.js';

export class CreateApiKeyRequest {
  /** What people call it; not blank. */
  @Matches(/^(?=.*\S)[^\p{Cc}]{1,100}$/u, { message: '$property must be text of 1 to 100 characters' })
  name: string;

  /** A time without an offset is UTC. Without a time, the key does not expire. */
  @MayBeMissing()
  @IsIsoDateTime()
  expires_at?: string;

  /** What it may do; all scopes by default. */
  @MayBeMissing()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayUnique()
  @IsIn(SCOPES, { each: true })
  scopes?: Scope[];
}

export class UserId {
  @IsUUID()
  user_id: string;
}

export class CreateUserRequest {
  @IsEmail({}, { message: '$property must be an e-mail address' })
  @MaxLength(320)
  email: string;

  @IsIn(DASHBOARD_ROLES)
  role: DashboardRole;

  @MaxLength(MAX_PASSWORD)
  @MinLength(MIN_PASSWORD)
  @IsString()
  password: string;
}

export class ChangeRoleRequest {
  @IsIn(DASHBOARD_ROLES)
  role: DashboardRole;
}

export class ResetPasswordRequest {
  @MaxLength(MAX_PASSWORD)
  @MinLength(MIN_PASSWORD)
  @IsString()
  password: string;
}

export class ChangePasswordRequest extends ResetPasswordRequest {
  @IsString()
  @MaxLength(MAX_PASSWORD)
  current_password: string;
}

/** The password once more, before the second factor is set up. */
export class PasswordRequest {
  @IsString()
  @MaxLength(MAX_PASSWORD)
  password: string;
}

export class CodeRequest {
  @IsString()
  @MaxLength(64)
  code: string;
}

/** Password and code, before the second factor is changed or turned off. */
export class PasswordAndCodeRequest extends PasswordRequest {
  @IsString()
  @MaxLength(64)
  code: string;
}

/** A limit of a number, of an API key, or of the whole tenant. */
export class SetSpendLimitRequest {
  @MayBeMissing()
  @IsString()
  @MaxLength(64)
  messaging_account_id?: string;

  @MayBeMissing()
  @IsUUID()
  api_key_id?: string;

  @IsIn(SPEND_PERIODS)
  period: SpendPeriod;

  @Matches(/^[A-Z]{3}$/, { message: '$property must be the code of a currency, such as USD' })
  currency: string;

  /** A decimal. */
  @Matches(SPEND_AMOUNT, { message: '$property must be an amount, such as 100 or 99.95' })
  amount: string;
}

export class LoadRateCardRequest {
  /** The whole file; a body has at most 256 KiB. */
  @IsString()
  csv: string;

  /** A time without an offset is UTC. Without a time: now. */
  @MayBeMissing()
  @IsIsoDateTime()
  effective_from?: string;
}
