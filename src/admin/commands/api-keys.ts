import { IsOptional, ValidateBy, ValidateIf } from 'class-validator';
import { type Command, Option } from 'commander';
import { inOrder, isScope, type Scope, SCOPES } from '../../accounts/domain/scopes.js';
import { ApiKeysService } from '../../accounts/api-keys.service.js';
import { ApiError } from '../../common/errors.js';
import { IsLabel } from '../../http/validators.js';
import type { Act } from '../action.js';
import type { AdminContext } from '../admin-context.js';
import { IsId, IsInstant, instantOf } from '../options.js';
import { requireTenant } from '../require-tenant.js';

/** Names of scopes with commas between, at least one. */
const IsScopeList = () =>
  ValidateBy({
    name: 'isScopeList',
    validator: {
      validate: (value) => typeof value === 'string' && value.split(',').every(isScope),
      defaultMessage: (fault) => `${fault?.property} must be some of ${SCOPES.join(',')}`,
    },
  });

class CreateOptions {
  platform = false;

  @ValidateIf((options: CreateOptions) => !options.platform)
  @IsId('a tenant (or give --platform)')
  tenant?: string;

  @ValidateIf((options: CreateOptions) => !options.platform || options.name !== undefined)
  @IsLabel()
  name?: string;

  @IsOptional()
  @IsInstant()
  expiresAt?: string;

  @IsOptional()
  @IsScopeList()
  scopes?: string;
}

class RevokeOptions {
  @IsId('an API key')
  id: string;
}

/** API keys of tenants and of the platform. */
export function apiKeyCommands(program: Command, act: Act): void {
  program
    .command('api-key:create')
    .description('Creates an API key; its text is shown this once.')
    .usage('(--tenant ID --name NAME | --platform [--name NAME]) [--scopes LIST] [--expires-at TIME]')
    .option('--tenant <id>', 'tenant_id that it acts for')
    .addOption(new Option('--platform', 'acts for any tenant, by the header X-TENANT-ID').conflicts('tenant'))
    .option('--name <name>', 'what people call it')
    .option('--scopes <list>', `what it may do, with commas between (default: ${SCOPES.join(',')})`)
    .option('--expires-at <time>', 'ISO 8601, such as 2027-01-01T00:00:00Z (default: never)')
    .action(act(create, CreateOptions));
  program
    .command('api-key:revoke')
    .description('Ends an API key; within 5 s no process takes it any more.')
    .usage('--id ID')
    .requiredOption('--id <id>', 'api_key_id')
    .action(act(revoke, RevokeOptions));
}

async function create(context: AdminContext, options: CreateOptions): Promise<object> {
  const tenant = options.tenant === undefined ? null : await requireTenant(context, options.tenant);
  const expiresAt = readExpiry(options.expiresAt);
  const name = options.name ?? 'Platform key';
  const scopes = options.scopes === undefined ? undefined : inOrder(options.scopes.split(',') as Scope[]);
  const limits = { expiresAt, ...(scopes && { scopes }) };
  const { id, key } = await context.get(ApiKeysService).create(tenant?.id ?? null, name, limits);
  return {
    api_key_id: id,
    api_key: key,
    ...(scopes && { scopes }),
    ...(expiresAt && { expires_at: expiresAt }),
  };
}

function readExpiry(text: string | undefined): Date | null {
  const time = text === undefined ? null : instantOf(text);
  if (!time || time > new Date()) return time;
  throw new ApiError('VALIDATION_FAILED', 'A key that has expired already is of no use.', [
    { field: '--expires-at' },
  ]);
}

async function revoke(context: AdminContext, { id }: RevokeOptions): Promise<object> {
  if (await context.get(ApiKeysService).revoke(id)) return { api_key_id: id, revoked: true };
  throw new ApiError('NOT_FOUND', 'There is no API key with this id.', [{ field: '--id' }]);
}
