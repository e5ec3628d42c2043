import { AccountsService } from '../../src/accounts/accounts.service.js';
import { describeFault } from '../../src/admin/fault.js';
import { runCommand } from '../../src/admin/run-command.js';
import { NumberMovesService } from '../../src/number-moves/number-moves.service.js';
import { TemplateSyncService } from '../../src/templates/template-sync.service.js';
import { adminEnv } from './operator.js';
import type { TestService } from './service.js';
import type { TestTenant } from './tenants.js';

/** Runs an admin command in this process. @returns what it would print */
export async function command(service: TestService, line: string): Promise<Record<string, any>> {
  const env = adminEnv(service);
  const result = await runCommand(line.split(' '), env).catch((error) => ({ error: describeFault(error) }));
  return JSON.parse(JSON.stringify(result));
}

/** A clone of a tenant's business account at the provider. */
export interface Clone {
  businessAccountId: string;
  wabaId: string;
}

/**
 * Clones the tenant's business account at the provider, and adds the clone to the service with its templates.
 * @param without names of templates that the clone doesn't get
 */
export async function cloneOf(
  service: TestService,
  { id: tenantId, wabaId: former }: Pick<TestTenant, 'id' | 'wabaId'>,
  without: string[] = [],
): Promise<Clone> {
  const { wabaId, appId, accessToken, appSecret } = service.sandbox.control.cloneAccount(former);
  // Without webhooks, which would be repeated until the service knows the account, and could name a later template.
  service.sandbox.control.setSubscribed(wabaId, false);
  for (const name of without) await removeTemplate(service, wabaId, name);
  service.sandbox.control.setSubscribed(wabaId, true);
  const accounts = service.app.get(AccountsService, { strict: false });
  const { id } = await accounts.addBusinessAccount({ tenantId, wabaId, appId, accessToken, appSecret });
  await service.app.get(TemplateSyncService, { strict: false }).sync(id);
  return { businessAccountId: id, wabaId };
}

/** Moves the tenant's first number to the account, at the provider and in the service. */
export async function moveTo(service: TestService, tenant: TestTenant, to: Clone) {
  const accounts = service.app.get(AccountsService, { strict: false });
  const number = await accounts.findByApiId(tenant.accounts[0] as string);
  service.sandbox.control.moveNumber(number!.phoneNumberId, to.wabaId);
  const account = await accounts.findBusinessAccount(to.businessAccountId);
  return service.app.get(NumberMovesService, { strict: false }).move(number!, account!);
}

async function removeTemplate({ sandbox, config }: TestService, waba: string, name: string): Promise<void> {
  const answer = await fetch(`${config.PROVIDER_BASE_URL}/control/templates`);
  const { data } = (await answer.json()) as { data: { wabaId: string; id: string; name: string }[] };
  for (const template of data)
    if (template.wabaId === waba && template.name === name)
      sandbox.control.setTemplateStatus(template.id, 'DELETED');
}
