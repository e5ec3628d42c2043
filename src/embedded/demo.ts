import type { INestApplicationContext } from '@nestjs/common';
import { readFile } from 'node:fs/promises';
import { AccountsService } from '../accounts/accounts.service.js';
import { ApiKeysService } from '../accounts/api-keys.service.js';
import { DashboardUsersService } from '../accounts/dashboard-users.service.js';
import { PricingService } from '../pricing/pricing.service.js';
import type { SandboxProvider } from '../sandbox/sandbox-provider.js';
import { TemplateSyncService } from '../templates/template-sync.service.js';
import { DEMO_TEMPLATES } from './demo-templates.js';
import type { Secrets } from './secrets.js';

/** Fixed, so that the examples of the documentation work as they are. */
export const DEMO = {
  wabaId: '102290129340398',
  appId: '670843887433847',
  email: 'demo@example.com',
  numbers: [
    {
      apiId: 'acc_DemoSalesNumber00001',
      phoneNumberId: '106540352242922',
      phone: '14155550100',
      name: 'Demo shop sales',
      messagesPerSecond: 80,
    },
    {
      apiId: 'acc_DemoCareNumber000002',
      phoneNumberId: '106540352242923',
      phone: '971501230000',
      name: 'Demo shop care',
      messagesPerSecond: 1_000,
    },
  ],
} as const;

/** Gives the sandbox the demo's account, numbers and templates; those that it has already stay as they are. */
export function stockSandbox(sandbox: SandboxProvider, secrets: Secrets, webhookUrl?: string): void {
  sandbox.addBusinessAccount({
    wabaId: DEMO.wabaId,
    appId: DEMO.appId,
    accessToken: secrets.sandboxAccessToken,
    appSecret: secrets.sandboxAppSecret,
    ...(webhookUrl && { webhookUrl }),
    numbers: DEMO.numbers.map(({ phoneNumberId, phone, name, messagesPerSecond }) => ({
      phoneNumberId,
      displayPhoneNumber: `+${phone}`,
      verifiedName: name,
      messagesPerSecond,
    })),
  });
}

/**
 * Makes the demo tenant with its accounts, prices, user and key. What an earlier start has made stays, and what an
 * interrupted start has not made is added.
 * @returns the id of the tenant
 */
export async function seedDemo(
  app: INestApplicationContext,
  sandbox: SandboxProvider,
  secrets: Secrets,
): Promise<string> {
  const apiKeys = app.get(ApiKeysService, { strict: false });
  const account = await ensureAccounts(app.get(AccountsService, { strict: false }), secrets);
  // The key is made last, so that nothing is missing when it exists.
  if (await apiKeys.exists(secrets.demoApiKey)) return account.tenantId;
  for (const template of DEMO_TEMPLATES) sandbox.addTemplate(DEMO.wabaId, template);
  await app.get(TemplateSyncService, { strict: false }).sync(account.id);
  const sampleCard = await readFile(new URL('../pricing/sample-rate-card.csv', import.meta.url), 'utf8');
  await app.get(PricingService, { strict: false }).load(sampleCard, new Date(0));
  const users = app.get(DashboardUsersService, { strict: false });
  if (!(await users.exists(DEMO.email)))
    await users.create(account.tenantId, DEMO.email, secrets.demoPassword, { operator: true });
  await apiKeys.store(secrets.demoApiKey, account.tenantId, 'Demo key');
  return account.tenantId;
}

async function ensureAccounts(
  accounts: AccountsService,
  secrets: Secrets,
): Promise<{ id: string; tenantId: string }> {
  const account =
    (await accounts.secretsOfWaba(DEMO.wabaId)) ??
    (await accounts.addBusinessAccount({
      tenantId: (await accounts.createTenant('Demo shop')).id,
      wabaId: DEMO.wabaId,
      appId: DEMO.appId,
      accessToken: secrets.sandboxAccessToken,
      appSecret: secrets.sandboxAppSecret,
    }));
  const known = new Set((await accounts.numbersOf(account.tenantId)).map((number) => number.apiId));
  for (const number of DEMO.numbers) if (!known.has(number.apiId)) await accounts.addNumber(account, number);
  return account;
}
