import { createInterface } from 'node:readline';
import { IsEmail, IsIn, IsOptional, ValidateIf } from 'class-validator';
import { type Command, Option } from 'commander';
import { DataSource } from 'typeorm';
import { AuditEntry } from '../../accounts/audit-entry.entity.js';
import { DASHBOARD_ROLES, type DashboardRole } from '../../accounts/dashboard-user.entity.js';
import { DashboardUsersService } from '../../accounts/dashboard-users.service.js';
import { MIN_PASSWORD } from '../../accounts/domain/password.js';
import { checkPassword } from '../../accounts/password-check.js';
import { SecondFactorsService } from '../../accounts/second-factors.service.js';
import { ApiError } from '../../common/errors.js';
import type { Act } from '../action.js';
import type { AdminContext } from '../admin-context.js';
import { IsId } from '../options.js';
import { requireTenant } from '../require-tenant.js';

class UserOptions {
  @IsId('a tenant')
  tenant: string;

  @IsEmail()
  email: string;

  @IsIn(DASHBOARD_ROLES)
  role: DashboardRole;

  @IsOptional()
  operator?: boolean;
}

class ResetOptions {
  @IsOptional()
  @IsId('a user')
  id?: string;

  @ValidateIf((options: ResetOptions) => options.id === undefined)
  @IsEmail({}, { message: '$property must be an e-mail address (or give --id)' })
  email?: string;
}

/** The user whom the audit log names for what commands do. */
const COMMAND_LINE = { userId: '00000000-0000-0000-0000-000000000000', userEmail: 'command line' };

/** People who may sign in to the dashboard. */
export function userCommands(program: Command, act: Act): void {
  program
    .command('user:create')
    .description('Creates a dashboard user.')
    .usage('--tenant ID --email ADDRESS --password-stdin [--role owner] [--operator]')
    .requiredOption('--tenant <id>', 'tenant_id whose dashboard it is')
    .requiredOption('--email <address>', 'what the user signs in with')
    .requiredOption(
      '--password-stdin',
      `the password is the first line of standard input: ${MIN_PASSWORD} characters or more, and none of the commonest`,
    )
    .option('--role <role>', 'what the user may do: owner, editor or viewer', 'owner')
    .option('--operator', 'the user may also load the rate card, which all tenants share')
    .action(act(create, UserOptions));
  program
    .command('user:reset-second-factor')
    .description('Turns off the second factor of a dashboard user who has lost it, such as the only owner.')
    .usage('(--email ADDRESS | --id ID)')
    .option('--email <address>', 'what the user signs in with')
    .addOption(new Option('--id <id>', 'user_id').conflicts('email'))
    .action(act(resetSecondFactor, ResetOptions));
}

async function create(context: AdminContext, { tenant, email, ...rights }: UserOptions): Promise<object> {
  const owner = await requireTenant(context, tenant);
  const password = await readLine();
  await checkPassword(password, email, '--password-stdin');
  const user = await context.get(DashboardUsersService).create(owner.id, email, password, rights);
  return { user_id: user.id };
}

async function resetSecondFactor(context: AdminContext, { id, email }: ResetOptions): Promise<object> {
  const user = await context
    .get(DashboardUsersService)
    .findAnywhere(id === undefined ? { email: email ?? '' } : { id });
  if (!user) {
    const field = id === undefined ? '--email' : '--id';
    throw new ApiError('NOT_FOUND', 'There is no such user.', [{ field }]);
  }
  const reset = await context.get(SecondFactorsService).turnOff(user.id);
  if (reset) {
    const details = { user_id: user.id, email: user.email };
    await context
      .get(DataSource)
      .getRepository(AuditEntry)
      .insert({
        ...COMMAND_LINE,
        tenantId: user.tenantId,
        action: 'user.second_factor_reset',
        details,
        occurredAt: new Date(),
      });
  }
  return { user_id: user.id, reset };
}

async function readLine(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('Password: ');
  for await (const line of createInterface({ input: process.stdin })) return line;
  return '';
}
