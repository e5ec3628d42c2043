import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { runCommand } from '../src/admin/run-command.js';

const RATE_CARD = new URL('../src/pricing/sample-rate-card.csv', import.meta.url).pathname;

/** Numbers with the highest rate: so many that their rates do not limit the measurement. */
const NUMBERS = 10;
const MESSAGES_PER_SECOND = 1_000;

const phoneNumberId = (i: number) => String(106_540_352_242_900 + i);

/** What a client and the provider know about one tenant of the benchmark and its one business account. */
export interface Accounts {
  apiKey: string;
  messagingAccountIds: string[];
  wabaId: string;
  appSecret: string;
  /** The installation, with which the tags of messages begin. */
  installation: string;
}

/** The configuration of a process in production. There is a limit, so each request is counted, but none is refused. */
export function productionEnvironment(urls: {
  postgres: string;
  redis: string;
  provider: string;
}): Record<string, string> {
  return {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: '0',
    DATABASE_URL: urls.postgres,
    REDIS_URL: urls.redis,
    PROVIDER_BASE_URL: urls.provider,
    THROTTLE_LIMIT: '1000000000',
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    WEBHOOK_VERIFY_TOKEN: randomBytes(16).toString('hex'),
    DASHBOARD_SESSION_SECRET: randomBytes(32).toString('hex'),
  };
}

/**
 * Sets up a tenant, its numbers, prices and key as an operator does; the templates come from the provider.
 * @param ordinal 0 for the first tenant of a database, 1 for the second
 */
export async function introduce(env: Record<string, string>, ordinal = 0): Promise<Accounts> {
  const admin = async (command: string, options: Record<string, string>) => {
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
    return (await runCommand([command, ...args], env)) as Record<string, string>;
  };
  const wabaId = String(102_290_129_340_398 + ordinal);
  const first = ordinal * NUMBERS;
  const appSecret = randomBytes(16).toString('hex');
  const { tenant_id: tenant = '' } = await admin('tenant:create', { name: 'Bench' });
  await admin('rates:load', { file: RATE_CARD, 'effective-from': '2020-01-01' });
  const { business_account_id: account = '' } = await admin('business-account:add', {
    tenant,
    'waba-id': wabaId,
    'access-token': randomBytes(64).toString('hex'),
    'app-secret': appSecret,
  });
  const messagingAccountIds: string[] = [];
  for (let i = 0; i < NUMBERS; i += 1) {
    const added = await admin('number:add', {
      'business-account': account,
      'phone-number-id': phoneNumberId(first + i),
      phone: `+1415555${1000 + first + i}`,
      name: `Number ${i}`,
      mps: String(MESSAGES_PER_SECOND),
    });
    messagingAccountIds.push(added['messaging_account_id'] ?? '');
  }
  const { api_key: apiKey = '' } = await admin('api-key:create', { tenant, name: 'Bench' });
  const installation = await installationIn(env['DATABASE_URL'] ?? '');
  return {
    apiKey,
    messagingAccountIds,
    wabaId,
    appSecret,
    installation,
  };
}

async function installationIn(databaseUrl: string): Promise<string> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ id: string }>('SELECT id FROM installation');
  await client.end();
  return rows[0]?.id ?? '';
}
