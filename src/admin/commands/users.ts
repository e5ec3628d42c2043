import { createInterface } from 'node:readline';
import { IsEmail, IsIn, IsOptional } from 'class-validator';
import type { Command } from 'commander';
import { DASHBOARD_ROLES, type DashboardRole } from '../../accounts/dashboard-user.entity.js';
import { DashboardUsersService } from '../../accounts/dashboard-users.service.js';
import { MIN_PASSWORD } from '../../accounts/domain/password.js';
import { checkPassword } from '../../accounts/password-check.js';
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
}

async function create(context: AdminContext, { tenant, email, ...rights }: UserOptions): Promise<object> {
  const owner = await requireTenant(context, tenant);
  const password = await readLine();
  await checkPassword(password, email, '--password-stdin');
  const user = await context.get(DashboardUsersService).create(owner.id, email, password, rights);
  return { user_id: user.id };
}

async function readLine(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('Password: ');
  for await (const line of createInterface({ input: process.stdin })) return line;
  return '';
}
