import { IsOptional } from 'class-validator';
import type { Command } from 'commander';
import { AccountChangesService } from '../../accounts/account-changes.service.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { Clock } from '../../common/clock.js';
import { ApiError } from '../../common/errors.js';
import { IsAccessToken, IsAppSecret } from '../../http/validators.js';
import type { Act } from '../action.js';
import type { AdminContext } from '../admin-context.js';
import { IsId } from '../options.js';
import { IsStartTimes, startTimesOf } from '../start-times.js';
import { syncNew } from './templates.js';

class BusinessAccountUpdate {
  @IsId('a business account')
  id: string;

  @IsOptional()
  @IsAccessToken()
  accessToken?: string;

  @IsOptional()
  @IsAppSecret()
  appSecret?: string;

  @IsOptional()
  @IsStartTimes()
  authInternational?: string;
}

/** Changes of what accounts.ts adds. */
export function accountUpdateCommands(program: Command, act: Act): void {
  program
    .command('business-account:update')
    .description("Changes a business account's secrets, or since when its codes cost the international rate.")
    .usage('--id ID [--access-token TOKEN] [--app-secret SECRET] [--auth-international COUNTRY=START,…]')
    .requiredOption('--id <id>', 'its business_account_id')
    .option('--access-token <token>', 'the new token of a system user; its templates are fetched with it')
    .option('--app-secret <secret>', 'the new secret that signs the webhooks')
    .option(
      '--auth-international <starts>',
      'start times as the provider has declared them, in place of those before, such as ' +
        '"IN=2026-07-01,*=2026-06-01T00:00:00Z"; * is for all other countries, "" for no declaration',
    )
    .action(act(updateBusinessAccount, BusinessAccountUpdate));
}

async function updateBusinessAccount(context: AdminContext, options: BusinessAccountUpdate): Promise<object> {
  const { id, accessToken, appSecret, authInternational } = options;
  if (accessToken === undefined && appSecret === undefined && authInternational === undefined) {
    const message = 'Name what is to be changed: --access-token, --app-secret or --auth-international.';
    throw new ApiError('VALIDATION_FAILED', message);
  }
  const account = await context.get(AccountsService).findBusinessAccount(id);
  if (!account)
    throw new ApiError('NOT_FOUND', 'There is no business account with this id.', [{ field: '--id' }]);
  await context.get(AccountChangesService).changeBusinessAccount(account, { accessToken, appSecret });
  return {
    business_account_id: id,
    ...(authInternational !== undefined && (await setStarts(context, id, authInternational))),
    ...(accessToken !== undefined && (await syncNew(context, id))),
  };
}

async function setStarts(context: AdminContext, id: string, text: string): Promise<object> {
  const starts = startTimesOf(text);
  const given = starts && Object.keys(starts).length > 0 ? starts : null;
  await context.get(AccountChangesService).setAuthInternational(id, given, context.get(Clock).now());
  return { auth_international: given };
}
