import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from './support/eventually.js';
import { addNumbers, takenFrom, type TestNumber, type TestNumbers } from './support/numbers.js';
import { startTestService, type TestService } from './support/service.js';

/** Messages a second of each number. */
const RATE = 40;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

type Category = 'AUTHENTICATION' | 'UTILITY' | 'MARKETING';

/** The first digits of the recipients of each category, by which the sandbox's list tells them apart. */
const PREFIXES: Record<Category, string> = { AUTHENTICATION: '491', UTILITY: '492', MARKETING: '493' };

/** Puts messages into log and outbox in one commit, due for longer the earlier their category stands in the list. */
async function queue({ tenant, numbers }: TestNumbers, counts: [Category, number][]): Promise<void> {
  const [number] = numbers as [TestNumber];
  const categories = counts.flatMap(([category, count]) => Array.from({ length: count }, () => category));
  await service.database.run(
    {
      name: 'test_queue_categories',
      text: `
      WITH message AS (
        INSERT INTO message_logs (tenant_id, messaging_account_id, template_id, phone, template_name, language,
          components, status, auto_retry_on_frequency_cap, conversation_category, cost, currency, created_at)
        SELECT t.tenant_id, $2, t.id, p.prefix || (1000000 + p.n) || '0102', t.name, t.language, '[]', 'queued', false,
          p.category, 0, 'USD', $5::timestamptz + p.n * interval '1 millisecond' - interval '1 minute'
        FROM templates t, unnest($3::text[], $4::text[]) WITH ORDINALITY AS p (category, prefix, n)
        WHERE t.tenant_id = $1 RETURNING *
      )
      INSERT INTO outbox (message_log_id, tenant_id, messaging_account_id, template_id, category, created_at, due_at)
      SELECT id, tenant_id, messaging_account_id, template_id, conversation_category, created_at, created_at FROM message`,
    },
    [tenant.id, number.id, categories, categories.map((category) => PREFIXES[category]), service.clock.now()],
  );
}

/** The categories of what the number has sent, in their order, once there are so many. */
async function sentBy({ numbers }: TestNumbers, count: number): Promise<Category[]> {
  const [number] = numbers as [TestNumber];
  const taken = await eventually(() => {
    const messages = takenFrom(service, number.phone_number_id);
    expect(messages.length).toBeGreaterThanOrEqual(count);
    return messages;
  });
  const category = ({ to }: { to: string }) =>
    (Object.keys(PREFIXES) as Category[]).find((each) => to.startsWith(PREFIXES[each])) as Category;
  return taken.map(category).toReversed();
}

describe('On one number', () => {
  it('one-time codes go before notices, and notices before offers that have been due for longer', async () => {
    const numbers = await addNumbers(service, [RATE]);
    await queue(numbers, [
      ['MARKETING', 400],
      ['UTILITY', 60],
      ['AUTHENTICATION', 60],
    ]);
    const sent = await sentBy(numbers, 200);
    const [lastCode, lastNotice] = [sent.lastIndexOf('AUTHENTICATION'), sent.lastIndexOf('UTILITY')];
    expect(sent.filter((category) => category === 'AUTHENTICATION')).toHaveLength(60);
    expect(sent.filter((category) => category === 'UTILITY')).toHaveLength(60);
    expect(lastCode).toBeLessThan(100);
    expect(lastNotice).toBeLessThan(190);
    expect(lastCode).toBeLessThan(lastNotice);
  });

  it('a code is sent within a second although many offers wait', async () => {
    const numbers = await addNumbers(service, [RATE]);
    await queue(numbers, [['MARKETING', 600]]);
    await sentBy(numbers, 50);
    await queue(numbers, [['AUTHENTICATION', 1]]);
    const before = (await sentBy(numbers, 50)).length;
    const sent = await sentBy(numbers, before + RATE);
    expect(sent.slice(0, before + RATE)).toContain('AUTHENTICATION');
  });

  it('offers that have been due for long are sent even while codes keep coming', async () => {
    const numbers = await addNumbers(service, [RATE]);
    await queue(numbers, [
      ['MARKETING', 8],
      ['AUTHENTICATION', 300],
    ]);
    const sent = await sentBy(numbers, 200);
    expect(sent.filter((category) => category === 'MARKETING').length).toBeGreaterThan(0);
    expect(sent.filter((category) => category === 'AUTHENTICATION').length).toBeGreaterThan(150);
  });
});
