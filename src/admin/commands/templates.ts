import { Matches } from 'class-validator';
import type { Command } from 'commander';
import { AccountsService } from '../../accounts/accounts.service.js';
import { ApiError } from '../../common/errors.js';
import { TemplateSyncService } from '../../templates/template-sync.service.js';
import type { Act } from '../action.js';
import type { AdminContext } from '../admin-context.js';
import { describeFault } from '../fault.js';

const ACCOUNT = /^(acc_\w{20}|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/i;

class SyncOptions {
  @Matches(ACCOUNT, { message: '$property must be a messaging_account_id (acc_…) or a business_account_id' })
  account: string;
}

/** Templates of business accounts. */
export function templateCommands(program: Command, act: Act): void {
  program
    .command('templates:sync')
    .description("Makes an account's templates those of the provider's list, now.")
    .usage('--account ID')
    .requiredOption('--account <id>', 'messaging_account_id or business_account_id')
    .action(act(sync, SyncOptions));
}

async function sync(context: AdminContext, { account }: SyncOptions): Promise<object> {
  const businessAccountId = await findBusinessAccountId(context.get(AccountsService), account);
  if (!businessAccountId)
    throw new ApiError('ACCOUNT_NOT_FOUND', 'There is no account with this id.', [{ field: '--account' }]);
  return context.get(TemplateSyncService).sync(businessAccountId);
}

async function findBusinessAccountId(accounts: AccountsService, id: string): Promise<string | undefined> {
  if (id.startsWith('acc_')) return (await accounts.findByApiId(id))?.businessAccountId;
  return (await accounts.findBusinessAccount(id))?.id;
}

/**
 * Syncs a business account that is new or has a new token. Its row stays when the sync fails, so a fault is only a part
 * of the result; the workers try again within a minute.
 */
export async function syncNew(context: AdminContext, businessAccountId: string): Promise<object> {
  try {
    return { templates: await context.get(TemplateSyncService).sync(businessAccountId) };
  } catch (error) {
    return { templates_error: describeFault(error).message };
  }
}
