import { Type } from 'class-transformer';
import type { Command } from 'commander';
import { AccountsService } from '../../accounts/accounts.service.js';
import { ApiError } from '../../common/errors.js';
import { IsInteger } from '../../http/validators.js';
import type { Hold } from '../../outbox/holds/hold.entity.js';
import { HoldsService } from '../../outbox/holds/holds.service.js';
import type { Act } from '../action.js';
import type { AdminContext } from '../admin-context.js';

class LiftOptions {
  @Type(() => Number)
  @IsInteger(1)
  id: number;
}

/** What makes messages wait. */
export function holdCommands(program: Command, act: Act): void {
  program
    .command('hold:list')
    .description('Lists the open holds: numbers, business accounts and templates whose messages wait.')
    .usage('')
    .action(act(list));
  program
    .command('hold:lift')
    .description('Ends a hold, so that its messages go out; do it when its cause is gone.')
    .usage('--id ID')
    .requiredOption('--id <id>', 'id of the hold')
    .action(act(lift, LiftOptions));
}

async function list(context: AdminContext): Promise<object> {
  const holds = await context.get(HoldsService).list();
  return { holds: await Promise.all(holds.map((hold) => describe(context, hold))) };
}

async function describe(context: AdminContext, hold: Hold): Promise<object> {
  const { id, tenantId, scope, targetId, cause, error, createdAt } = hold;
  // A number is known to everyone by its API id only.
  const number = scope === 'number' && (await context.get(AccountsService).findById(Number(targetId)));
  return {
    id,
    tenant_id: tenantId,
    scope,
    target_id: number ? number.apiId : targetId,
    cause,
    error,
    created_at: createdAt,
  };
}

async function lift(context: AdminContext, { id }: LiftOptions): Promise<object> {
  if (await context.get(HoldsService).lift(id, 'command')) return { id, lifted: true };
  throw new ApiError('NOT_FOUND', 'There is no open hold with this id; see hold:list.', [{ field: '--id' }]);
}
