import { IsOptional, Matches } from 'class-validator';
import type { Command } from 'commander';
import { AccountsService } from '../../accounts/accounts.service.js';
import { ApiError } from '../../common/errors.js';
import { IsProviderId } from '../../http/validators.js';
import { NumberMovesService } from '../../number-moves/number-moves.service.js';
import type { Act } from '../action.js';
import type { AdminContext } from '../admin-context.js';
import { IsId } from '../options.js';

class MoveOptions {
  @Matches(/^acc_\w{20}$/, { message: '$property must be a messaging_account_id (acc_…)' })
  number: string;

  @IsId('a business account')
  businessAccount: string;

  @IsOptional()
  @IsProviderId()
  phoneNumberId?: string;
}

/** Moves of numbers from one business account to another. */
export function moveCommands(program: Command, act: Act): void {
  program
    .command('number:move')
    .description(
      'Moves a number to another business account of its tenant, with all that waits. Repeat it when it was broken off.',
    )
    .usage('--number ACC --business-account ID [--phone-number-id ID]')
    .requiredOption('--number <acc>', 'messaging_account_id of the number, which stays')
    .requiredOption(
      '--business-account <id>',
      'business_account_id that it moves to; see business-account:add',
    )
    .option('--phone-number-id <id>', "the provider's new id of the number, where it has got one")
    .action(act(move, MoveOptions));
}

async function move(context: AdminContext, options: MoveOptions): Promise<object> {
  const accounts = context.get(AccountsService);
  const number = await accounts.findByApiId(options.number);
  if (!number)
    throw new ApiError('ACCOUNT_NOT_FOUND', 'There is no messaging account with this id.', [
      { field: '--number' },
    ]);
  const to = await accounts.findBusinessAccount(options.businessAccount);
  if (!to)
    throw new ApiError('NOT_FOUND', 'There is no business account with this id.', [
      { field: '--business-account' },
    ]);
  const { bound, unbound } = await context
    .get(NumberMovesService)
    .move(number, to, options.phoneNumberId ?? null);
  return { messaging_account_id: number.apiId, bound, unbound };
}
