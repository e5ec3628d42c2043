import { Type } from 'class-transformer';
import { IsInt, IsOptional, Matches, Max, Min } from 'class-validator';
import type { Command } from 'commander';
import { AccountsService } from '../../accounts/accounts.service.js';
import { ApiError } from '../../common/errors.js';
import { IsAccessToken, IsAppSecret, IsLabel, IsProviderId } from '../../http/validators.js';
import { normalizePhone } from '../../recipients/domain/phone.js';
import type { Act } from '../action.js';
import type { AdminContext } from '../admin-context.js';
import { IsId, IsPhone } from '../options.js';
import { requireTenant } from '../require-tenant.js';
import { syncNew } from './templates.js';

class TenantOptions {
  @IsLabel()
  name: string;

  @Matches(/^\d{1,3}(\.\d{1,4})?$/, { message: '$property must be a percentage from 0 to 999.9999' })
  markup = '0';
}

class BusinessAccountOptions {
  @IsId('a tenant')
  tenant: string;

  @IsProviderId()
  wabaId: string;

  @IsAccessToken()
  accessToken: string;

  @IsAppSecret()
  appSecret: string;

  @IsOptional()
  @IsProviderId()
  appId?: string;
}

class NumberOptions {
  @IsId('a business account')
  businessAccount: string;

  @IsProviderId()
  phoneNumberId: string;

  @IsPhone()
  phone: string;

  @IsLabel()
  name: string;

  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(1_000)
  mps = 80;
}

/** Tenants, business accounts and numbers. */
export function accountCommands(program: Command, act: Act): void {
  program
    .command('tenant:create')
    .description('Creates a tenant, which owns everything else.')
    .usage('--name NAME [--markup PERCENT]')
    .requiredOption('--name <name>', 'what people call it')
    .option('--markup <percent>', "added to the provider's rates (default: 0)")
    .action(act(createTenant, TenantOptions));
  program
    .command('business-account:add')
    .description("Adds a tenant's account at the provider (WABA) and fetches its templates.")
    .usage('--tenant ID --waba-id ID --access-token TOKEN --app-secret SECRET [--app-id ID]')
    .requiredOption('--tenant <id>', 'tenant_id of its owner')
    .requiredOption('--waba-id <id>', "the provider's id of the account")
    .requiredOption('--access-token <token>', 'the token of a system user; stored encrypted')
    .requiredOption('--app-secret <secret>', 'signs the webhooks; stored encrypted')
    .option('--app-id <id>', "the provider's id of the app; needed to create templates with media headers")
    .action(act(addBusinessAccount, BusinessAccountOptions));
  program
    .command('number:add')
    .description('Adds a sending number to a business account.')
    .usage('--business-account ID --phone-number-id ID --phone NUMBER --name NAME [--mps 80]')
    .requiredOption('--business-account <id>', 'business_account_id of its owner')
    .requiredOption('--phone-number-id <id>', "the provider's id of the number")
    .requiredOption('--phone <number>', 'with its country code, such as +971501234567')
    .requiredOption('--name <name>', 'what people call it')
    .option('--mps <rate>', 'messages a second that the provider allows, 1 to 1000 (default: 80)')
    .action(act(addNumber, NumberOptions));
}

async function createTenant(context: AdminContext, { name, markup }: TenantOptions): Promise<object> {
  return { tenant_id: (await context.get(AccountsService).createTenant(name, markup)).id };
}

async function addBusinessAccount(context: AdminContext, options: BusinessAccountOptions): Promise<object> {
  const tenant = await requireTenant(context, options.tenant);
  const { wabaId, accessToken, appSecret, appId = null } = options;
  const account = await context
    .get(AccountsService)
    .addBusinessAccount({ tenantId: tenant.id, wabaId, accessToken, appSecret, appId });
  return { business_account_id: account.id, ...(await syncNew(context, account.id)) };
}

async function addNumber(context: AdminContext, options: NumberOptions): Promise<object> {
  const { phoneNumberId, name, mps } = options;
  const accounts = context.get(AccountsService);
  const owner = await accounts.findBusinessAccount(options.businessAccount);
  if (!owner) {
    throw new ApiError('NOT_FOUND', 'There is no business account with this id.', [
      { field: '--business-account' },
    ]);
  }
  const phone = normalizePhone(options.phone).digits;
  const number = await accounts.addNumber(owner, { phoneNumberId, phone, name, messagesPerSecond: mps });
  return { messaging_account_id: number.apiId };
}
