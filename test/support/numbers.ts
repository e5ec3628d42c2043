import { fillOutbox } from './outbox.js';
import { SECRETS, type TestService } from './service.js';
import { addTenant, template, type TestTenant } from './tenants.js';

/** Milliseconds that filling may take: it is not what is tested. */
const LONG = 60_000;

/** The last digits of a recipient of the sandbox for which a single receipt comes. */
const ONE_RECEIPT = '0102';

export interface TestNumber {
  id: number;
  phone_number_id: string;
  /** Messages per second. */
  rate: number;
}

export interface TestNumbers {
  tenant: TestTenant;
  numbers: TestNumber[];
  /** Puts messages of a number straight into log and outbox, due at once: to many recipients, or all to one. */
  queue(id: number, count: number, options?: { suffix?: string; toOne?: boolean }): Promise<unknown>;
}

/** Adds numbers of a new tenant with these rates, which the sandbox enforces. */
export async function addNumbers(service: TestService, rates: number[]): Promise<TestNumbers> {
  const phones = rates.map((_, i) => `1415555${1000 + i}`);
  const tenant = await addTenant(service, { phones, templates: [template('plain', 'Hello!')] });
  const numbers = await service.database.run<TestNumber>(
    {
      name: 'test_set_rates',
      text: `
        UPDATE messaging_accounts n SET messages_per_second = ($2::integer[])[right(n.phone, 4)::integer - 999]
        WHERE tenant_id = $1 RETURNING id, phone_number_id, messages_per_second AS rate`,
    },
    [tenant.id, rates],
  );
  service.sandbox.addBusinessAccount({
    wabaId: tenant.wabaId,
    appId: '1',
    accessToken: `token-${tenant.wabaId}`,
    appSecret: SECRETS.sandboxAppSecret,
    numbers: numbers.map((number) => ({
      phoneNumberId: number.phone_number_id,
      displayPhoneNumber: '+1',
      verifiedName: 'Test',
      messagesPerSecond: number.rate,
    })),
  });
  const prefixes = new Map(numbers.map(({ id }) => [id, `49${100 + id}`]));
  const queue: TestNumbers['queue'] = async (id, count, { suffix = ONE_RECEIPT, toOne = false } = {}) => {
    await service.database.run(
      {
        name: 'test_queue',
        timeout: LONG,
        text: `
          INSERT INTO message_logs (tenant_id, messaging_account_id, template_id, phone, template_name, language,
            components, status, auto_retry_on_frequency_cap, conversation_category, cost, currency, created_at)
          SELECT t.tenant_id, $2, t.id, $4 || CASE WHEN $6 THEN '99999' ELSE (10000 + i)::text END || $5,
            t.name, t.language, '[]', 'queued', false, 'UTILITY', 0, 'USD', $7::timestamptz
          FROM templates t, generate_series(1, $3::integer) i WHERE t.tenant_id = $1`,
      },
      [tenant.id, id, count, prefixes.get(id), suffix, toOne, service.clock.now()],
    );
    return service.database.run({ name: 'test_fill_outbox', text: fillOutbox(), timeout: LONG });
  };
  return { tenant, numbers, queue };
}

/** The messages that the sandbox has taken from a number, newest first. */
export function takenFrom(service: TestService, phoneNumberId: string) {
  return service.sandbox.messages().filter((message) => message.phone_number_id === phoneNumberId);
}
