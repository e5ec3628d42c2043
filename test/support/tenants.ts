import { AccountsService } from '../../src/accounts/accounts.service.js';
import { ApiKeysService } from '../../src/accounts/api-keys.service.js';
import type { WireTemplate, WireTemplateComponent } from '../../src/provider/wire.js';
import type { SandboxNumber } from '../../src/sandbox/sandbox-state.js';
import { TemplateSyncService } from '../../src/templates/template-sync.service.js';
import { Api } from './api.js';
import { SECRETS, type TestService } from './service.js';

/** A tenant of its own, with a business account that the sandbox knows. */
export interface TestTenant {
  id: string;
  businessAccountId: string;
  wabaId: string;
  /** The numbers' API ids. */
  accounts: string[];
  apiKeyId: string;
  api: Api;
}

let count = 0;

/** Makes a tenant with its numbers, templates and key. */
export async function addTenant(
  service: TestService,
  { phones = ['14155550200'], templates = [] as Omit<WireTemplate, 'id'>[], markupPercent = '0' } = {},
): Promise<TestTenant> {
  const accounts = service.app.get(AccountsService, { strict: false });
  const wabaId = String(200_000_000_000_000 + (count += 1));
  const numbers = phones.map((phone, i) => ({ phone, phoneNumberId: `${wabaId}${i}`.slice(1) }));
  const registered = addToSandbox(
    service,
    wabaId,
    numbers.map(({ phone, phoneNumberId }) => ({
      phoneNumberId,
      displayPhoneNumber: `+${phone}`,
      verifiedName: 'Test',
    })),
  );
  const { id } = await accounts.createTenant(`Tenant ${count}`, markupPercent);
  const account = await accounts.addBusinessAccount({ tenantId: id, ...registered });
  const added = [];
  for (const number of numbers)
    added.push(await accounts.addNumber(account, { ...number, name: 'Test', messagesPerSecond: 80 }));
  for (const one of templates) service.sandbox.addTemplate(wabaId, one);
  await service.app.get(TemplateSyncService, { strict: false }).sync(account.id);
  const key = await service.app.get(ApiKeysService, { strict: false }).create(id, 'Test');
  return {
    id,
    businessAccountId: account.id,
    wabaId,
    accounts: added.map(({ apiId }) => apiId),
    apiKeyId: key.id,
    api: new Api(service.url, key.key),
  };
}

/** Adds a business account to the sandbox alone. @returns what the service needs to add it too */
export function addToSandbox(service: TestService, wabaId: string, numbers: SandboxNumber[]) {
  const account = {
    wabaId,
    appId: '1',
    accessToken: `token-${wabaId}`,
    appSecret: SECRETS.sandboxAppSecret,
  };
  const webhookUrl = `${service.url}/webhooks/provider`;
  service.sandbox.addBusinessAccount({ ...account, webhookUrl, numbers });
  return account;
}

/** A template at the provider: approved, in en_US, with these components or this body. */
export function template(
  name: string,
  content: string | WireTemplateComponent[],
  others: Partial<WireTemplate> = {},
): Omit<WireTemplate, 'id'> {
  return {
    name,
    language: 'en_US',
    status: 'APPROVED',
    category: 'UTILITY',
    parameter_format: 'POSITIONAL',
    components: typeof content === 'string' ? [{ type: 'BODY', text: content }] : content,
    ...others,
  };
}
