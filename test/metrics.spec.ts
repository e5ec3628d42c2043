import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Reads } from '../src/database/reads.js';
import { BACKLOG, BACKLOG_LIMIT, LATE_NUMBERS } from '../src/operations/backlog.service.js';
import { BreakableProxy } from './support/breakable-proxy.js';
import { eventually } from './support/eventually.js';
import { createTestDatabase, type TestDatabase } from './support/infrastructure.js';
import { runSql } from './support/operator.js';
import { fillOutbox } from './support/outbox.js';
import { startTestService, type TestService } from './support/service.js';

let database: TestDatabase;
let postgres: BreakableProxy;
let service: TestService;

beforeAll(async () => {
  database = await createTestDatabase();
  postgres = await BreakableProxy.before(database.serviceUrl);
  service = await startTestService({ DATABASE_URL: postgres.url, ROLE: 'api' });
});
afterAll(async () => {
  await service.stop();
  await postgres.break();
  await database.drop();
});

/** The lines of the metrics, as soon as they contain this one: the counts may be a moment old. */
const metrics = (line: string) =>
  eventually(async () => {
    const { status, text } = await service.api.get('/metrics');
    const lines = text.split('\n');
    expect(status).toBe(200);
    expect(lines).toContain(line);
    return lines;
  });

const hold = (scope: string, target: string, number: number) =>
  runSql(
    service,
    `INSERT /* ${scope} */ INTO holds (tenant_id, scope, target_id, cause, error, created_at, next_probe_at)
     SELECT tenant_id, '${scope}', ${target}::text, 'auth', '{}', now(), now() FROM messaging_accounts WHERE id = $1`,
    [number],
  );

const valueOf = async (metric: string) => {
  const { text } = await service.api.get('/metrics');
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${metric} `))
      ?.split(' ')[1],
  );
};

/** The ids of the numbers whose oldest message is late. */
const lateNumbers = async () => {
  const { text } = await service.api.get('/metrics');
  return [...text.matchAll(/^tms_number_oldest_due_seconds\{messaging_account_id="(.*)"\}/gm)]
    .map(([, id]) => id)
    .toSorted();
};

const known = (lines: string[]) => lines.filter((line) => line.startsWith('tms_backlog'));

/** Adds messages, due at once if they wait; `entry` has the special values of their outbox entries. */
async function addMessages(count: number, status = 'queued', entry: Parameters<typeof fillOutbox>[0] = {}) {
  await service.database.run({
    name: '',
    text: `INSERT INTO message_logs (tenant_id, messaging_account_id, template_id, phone, template_name, language, components,
       auto_retry_on_frequency_cap, conversation_category, cost, currency, created_at, status)
     SELECT n.tenant_id, n.id, 1, '12025550100', 'a', 'en', '[]', false, 'UTILITY', 1, 'USD', now(), '${status}'
     FROM (SELECT * FROM messaging_accounts ORDER BY id LIMIT 2) n, generate_series(1, ${count / 2})`,
  });
  await service.database.run({ name: '', text: fillOutbox(entry) });
}

describe('The metrics', () => {
  it('count waiting messages and deliveries of each kind', async () => {
    await addMessages(6);
    await addMessages(4, 'queued', { heldBy: '1' });
    await addMessages(2, 'queued', { resolveAt: 'now()' });
    await addMessages(2, 'sent');
    await runSql(
      service,
      `INSERT INTO webhook_inbox (payload, received_at, next_try_at, processed_at, parked_at)
       VALUES ('', now(), now(), NULL, NULL), ('', now(), now(), now(), NULL), ('', now(), now(), NULL, now())`,
    );
    expect(known(await metrics('tms_backlog{state="messages_due"} 6'))).toEqual([
      'tms_backlog{state="messages_due"} 6',
      'tms_backlog{state="messages_held"} 4',
      'tms_backlog{state="messages_sending"} 2',
      'tms_backlog{state="webhooks_pending"} 1',
      'tms_backlog{state="webhooks_parked"} 1',
      'tms_backlog_known 1',
    ]);
  });

  it('count up to a limit, and say so', async () => {
    await addMessages(BACKLOG_LIMIT + 100);
    const lines = await metrics(`tms_backlog{state="messages_due"} ${BACKLOG_LIMIT}`);
    expect(lines.find((line) => line.startsWith('# HELP tms_backlog '))).toContain(`up to ${BACKLOG_LIMIT}`);
  });

  it('tell how long the oldest message and the oldest delivery have waited', async () => {
    await runSql(
      service,
      `UPDATE outbox SET due_at = now() - interval '1 hour' WHERE message_log_id = (
         SELECT min(message_log_id) FROM outbox WHERE resolve_at IS NULL AND held_by IS NULL)`,
    );
    await runSql(
      service,
      `UPDATE webhook_inbox SET next_try_at = now() - interval '2 hours' WHERE processed_at IS NULL`,
    );
    await eventually(async () => {
      expect(await valueOf('tms_oldest_due_seconds')).toBeGreaterThanOrEqual(3_600);
      expect(await valueOf('tms_inbox_oldest_seconds')).toBeGreaterThanOrEqual(7_200);
    });
  });

  it('name the numbers that are late, but neither those that are not nor those on hold', async () => {
    const [late, held] = await service.database.run<{ id: number; api_id: string }>({
      name: '',
      text: 'SELECT id, api_id FROM messaging_accounts ORDER BY id LIMIT 2',
    });
    await runSql(service, 'UPDATE outbox SET due_at = now()');
    await eventually(async () => expect(await lateNumbers()).toEqual([]));
    await runSql(service, `UPDATE outbox SET due_at = now() - interval '90 minutes'`);
    await eventually(async () =>
      expect(await lateNumbers()).toEqual([late!.api_id, held!.api_id].toSorted()),
    );
    await hold('number', 'id', held!.id);
    await eventually(async () => expect(await lateNumbers()).toEqual([late!.api_id]));
    await hold('business_account', 'business_account_id', late!.id);
    await eventually(async () => {
      expect(await lateNumbers()).toEqual([]);
      expect(await valueOf('tms_oldest_due_seconds')).toBe(0);
    });
    await runSql(service, 'DELETE FROM holds');
  });

  it('name some late numbers only, however many there are', async () => {
    await runSql(
      service,
      `INSERT INTO messaging_accounts (tenant_id, business_account_id, api_id, phone_number_id, phone, name)
       SELECT tenant_id, business_account_id, 'acc_' || n, 'many' || n, 10000000000 + n, 'Many'
       FROM messaging_accounts, generate_series(1, 60) n WHERE id = (SELECT min(id) FROM messaging_accounts)`,
    );
    await runSql(
      service,
      `INSERT INTO outbox (message_log_id, tenant_id, messaging_account_id, template_id, category, created_at, due_at)
       SELECT 1000000 + id, tenant_id, id, 1, 'UTILITY', now(), now() - interval '2 hours' FROM messaging_accounts`,
    );
    await eventually(async () => expect(await lateNumbers()).toHaveLength(LATE_NUMBERS));
    await runSql(service, 'DELETE FROM outbox WHERE message_log_id > 1000000');
  });

  it('are counted once for all callers at the same time', async () => {
    await metrics('tms_backlog_known 1');
    const run = jest.spyOn(service.app.get(Reads, { strict: false }), 'run');
    await Promise.all(Array.from({ length: 20 }, () => service.api.get('/metrics')));
    const looks = run.mock.calls.filter(([statement]) => statement === BACKLOG);
    run.mockRestore();
    expect(looks.length).toBeLessThan(5); // one a second
  });

  it('do not wait for PostgreSQL while it is silent', async () => {
    await metrics('tms_backlog_known 1');
    postgres.silence('all');
    let isListed = false;
    const list = service.api.get('/api/v1/messages').then(() => (isListed = true));
    const lines = await metrics('tms_backlog_known 0');
    expect(isListed).toBe(false); // which takes until the time limit of a statement
    expect(known(lines)).toEqual(['tms_backlog_known 0']);
    expect(lines.join()).toContain('tms_process_cpu_seconds_total');
    postgres.speak();
    await list;
    await metrics('tms_backlog_known 1');
  });

  it('leave out the counts of what waits while PostgreSQL is out', async () => {
    await postgres.break();
    const lines = await metrics('tms_backlog_known 0');
    expect(known(lines)).toEqual(['tms_backlog_known 0']);
    expect(lines.join()).toContain('tms_process_cpu_seconds_total');
    await postgres.mend();
    expect(known(await metrics('tms_backlog_known 1')).length).toBeGreaterThan(1);
  });
});
