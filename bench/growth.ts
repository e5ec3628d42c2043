import { Deployment } from './deployment.js';
import type { Environment } from './environment.js';
import { fillHistory } from './filling/history.js';

/** The number of messaging accounts. */
const NUMBERS = 500;

/** Days of use. */
const DAYS = 300;

/** The newest messages of which a quarter is scheduled for later. */
const AHEAD = 0.2;

/** A deployment as after 300 days of use. */
export async function growDeployment(
  environment: Environment,
  messages: number,
  partitions: number,
): Promise<Deployment> {
  const deployment = await Deployment.create(environment, 'grown');
  const { database } = deployment;
  await database.query(ADD_NUMBERS, [NUMBERS]);
  const seconds = await fillHistory(deployment, [
    { messages, oldest: DAYS, newest: 0, partitions, ahead: AHEAD },
  ]);
  const { rows } = await database.query<{ size: string }>(SIZE);
  environment.say(
    `${messages} messages and all that belongs to them were filled in within ${Math.round(seconds)} s, ` +
      `${Math.round(messages / seconds)} a second; they take ${rows[0]?.size}`,
  );
  await environment.calm();
  return deployment;
}

const SIZE = 'SELECT pg_size_pretty(pg_database_size(current_database())) AS size';

/** Adds numbers like the existing ones until there are $1. */
export const ADD_NUMBERS = `
  INSERT INTO messaging_accounts (api_id, tenant_id, business_account_id, phone_number_id, phone, name,
    messages_per_second)
  SELECT 'acc_' || lpad(i::text, 20, '0'), n.tenant_id, n.business_account_id, (200000000000000 + i)::text,
    (14160000000 + i)::text, 'Number ' || i, 80
  FROM (SELECT * FROM messaging_accounts ORDER BY id LIMIT 1) n,
    generate_series((SELECT count(*) FROM messaging_accounts) + 1, $1::integer) i`;
