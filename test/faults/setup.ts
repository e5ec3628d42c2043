import { runCommand } from '../../src/admin/run-command.js';
import { ACCOUNT } from './provider.js';

/** Milliseconds of PROVIDER_TIMEOUT, and of an answer that is slow but in time. */
export const PROVIDER_TIMEOUT = 2_000;
export const SLOW_ANSWER = 800;

const RATE_CARD = new URL('../../src/pricing/sample-rate-card.csv', import.meta.url).pathname;

/** The configuration that all processes of a run share. */
export function environment(folder: string, providerUrl: string): Record<string, string> {
  return {
    NODE_ENV: 'test', // fail points do nothing otherwise
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'warn',
    DATA_DIR: folder,
    PROVIDER_BASE_URL: providerUrl,
    PROVIDER_TIMEOUT: String(PROVIDER_TIMEOUT),
    RETRY_BASE: '100',
    RETRY_CAP: '2000',
    THROTTLE_LIMIT: '0',
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    WEBHOOK_VERIFY_TOKEN: 'a token for the faults',
    DASHBOARD_SESSION_SECRET: 'a session secret for the faults',
  };
}

/**
 * Sets up tenant, numbers, prices and key as an operator does.
 * @param run an admin command, with its arguments
 * @returns what a client needs
 */
export async function introduce(
  env: Record<string, string>,
  run: (args: string[], env: Record<string, string>) => Promise<object | undefined> = runCommand,
): Promise<{ apiKey: string; messagingAccountIds: string[] }> {
  const admin = async (command: string, options: Record<string, string>) => {
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
    return (await run([command, ...args], env)) as Record<string, string>;
  };
  const { tenant_id: tenant = '' } = await admin('tenant:create', { name: 'Faults' });
  const { business_account_id: account = '' } = await admin('business-account:add', {
    tenant,
    'waba-id': ACCOUNT.wabaId,
    'access-token': ACCOUNT.accessToken,
    'app-secret': ACCOUNT.appSecret,
  });
  const messagingAccountIds: string[] = [];
  for (const { phoneNumberId, phone } of ACCOUNT.numbers) {
    const number = { 'phone-number-id': phoneNumberId, phone: `+${phone}`, name: 'Faults', mps: '1000' };
    const added = await admin('number:add', { 'business-account': account, ...number });
    messagingAccountIds.push(added['messaging_account_id'] ?? '');
  }
  await admin('rates:load', { file: RATE_CARD, 'effective-from': '2020-01-01' });
  const { api_key: apiKey = '' } = await admin('api-key:create', { tenant, name: 'Faults' });
  return { apiKey, messagingAccountIds };
}
