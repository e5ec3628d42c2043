import { createHash } from 'node:crypto';
import type { Accounts } from '../accounts.js';
import type { Deployment } from '../deployment.js';

/** What each of many tenants has. */
const NUMBERS = 2;
const TEMPLATES = 10;

/** The key of tenant i. */
const keyOf = (i: number) => `tms_${String(i).padStart(40, '0')}`;

/** The API id of a number, behind those of tenants that are set up by the commands. */
const apiIdOf = (i: number) => `acc_${String(i).padStart(20, '0')}`;

/**
 * Adds many tenants, each with a business account, two numbers, ten templates and a key, which are like those of the
 * deployment's own tenant. Nothing of theirs is due to be read from the provider.
 * @returns what a client of each knows
 */
export async function addTenants({ database, accounts }: Deployment, count: number): Promise<Accounts[]> {
  for (const text of STATEMENTS) await database.query(text, [count]);
  const keys = Array.from({ length: count }, (_, i) =>
    createHash('sha256')
      .update(keyOf(i + 1))
      .digest('hex'),
  );
  await database.query(ADD_KEYS, [keys]);
  await database.query('VACUUM (ANALYZE)');
  return Array.from({ length: count }, (_, i) => ({
    ...accounts,
    apiKey: keyOf(i + 1),
    messagingAccountIds: Array.from({ length: NUMBERS }, (_number, j) => apiIdOf(1 + i * NUMBERS + j)),
  }));
}

const tenant = (i: string) => `md5('tenant-' || ${i})::uuid`;
const account = (i: string) => `md5('account-' || ${i})::uuid`;
const ALL = 'generate_series(1, $1::integer) i';

/** $1: how many tenants. */
const STATEMENTS = [
  `INSERT INTO tenants (id, name) SELECT ${tenant('i')}, 'Tenant ' || i FROM ${ALL}`,
  `INSERT INTO business_accounts (id, tenant_id, waba_id, access_token, app_secret, templates_synced_at,
    template_sync_due_at, recipients_due_at)
  SELECT ${account('i')}, ${tenant('i')}, (300000000000000 + i)::text, b.access_token, b.app_secret, now(),
    now() + interval '1 day', now() + interval '1 day'
  FROM (SELECT * FROM business_accounts LIMIT 1) b, ${ALL}`,
  `INSERT INTO messaging_accounts (api_id, tenant_id, business_account_id, phone_number_id, phone, name,
    messages_per_second, read_due_at)
  SELECT 'acc_' || lpad((${NUMBERS} * (i - 1) + j)::text, 20, '0'), ${tenant('i')}, ${account('i')},
    (400000000000000 + ${NUMBERS} * i + j)::text, (14170000000 + ${NUMBERS} * i + j)::text, 'Number ' || j, 80,
    now() + interval '1 day'
  FROM ${ALL}, generate_series(1, ${NUMBERS}) j`,
  `INSERT INTO templates (tenant_id, business_account_id, provider_template_id, name, language, category, status,
    provider_status, parameter_format, body_json)
  SELECT ${tenant('i')}, ${account('i')}, t.provider_template_id, t.name, t.language, t.category, t.status,
    t.provider_status, t.parameter_format, t.body_json
  FROM ${ALL}, (SELECT * FROM templates WHERE removed_at IS NULL ORDER BY length(name), name LIMIT ${TEMPLATES}) t`,
  `UPDATE messaging_accounts SET read_due_at = now() + interval '1 day' WHERE $1::integer > 0`,
];

const ADD_KEYS = `
  INSERT INTO api_keys (tenant_id, name, key_hash)
  SELECT ${tenant('i')}, 'Bench', hash FROM unnest($1::text[]) WITH ORDINALITY k (hash, i)`;
