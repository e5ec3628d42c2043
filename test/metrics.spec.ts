import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Reads } from '../src/database/reads.js';
import { BACKLOG, BACKLOG_LIMIT } from '../src/operations/backlog.service.js';
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
  postgres = await BreakableProxy.before(database.url);
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
