import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { Config } from '../src/config/config.js';
import type { Statement } from '../src/database/database.js';
import { RECORD_FAILED, RECORD_RETRY } from '../src/delivery/outcomes.sql.js';
import { ACCEPT, ACCEPT_BATCH } from '../src/messages/accept.sql.js';
import { sendBody } from './support/api.js';
import { BreakableProxy } from './support/breakable-proxy.js';
import { eventually } from './support/eventually.js';
import { createTestDatabase, type TestDatabase } from './support/infrastructure.js';
import './support/matchers.js';
import { startTestService, type TestService } from './support/service.js';

const PHONE = '+12025550102';

/** What requests with the statement have in them: its name, or its text where it goes without. */
const marksOf = (statement: Statement, { DATABASE_PREPARED_STATEMENTS }: Config) =>
  DATABASE_PREPARED_STATEMENTS === 'on' ? [statement.name] : [statement.text];

/** The request that commits accepted messages: through a pooler, it is another one than their statement. */
const committing = (config: Config, statement = ACCEPT) => [
  ...marksOf(statement, config),
  ...(config.DATABASE_DIRECT_URL === undefined ? [] : ['COMMIT']),
];

describe('A send whose connection to PostgreSQL is cut', () => {
  let database: TestDatabase;
  let postgres: BreakableProxy;
  let service: TestService;
  /** A connection that does not pass through the proxy. */
  let direct: Client;
  let before: number;

  beforeAll(async () => {
    database = await createTestDatabase();
    postgres = await BreakableProxy.before(database.serviceUrl);
    service = await startTestService({ DATABASE_URL: postgres.url });
    direct = new Client({ connectionString: database.url });
    await direct.connect();
  });
  afterAll(async () => {
    await direct.end();
    await service.stop();
    await postgres.break();
    await database.drop();
  });
  beforeEach(async () => (before = await count()));

  async function count(): Promise<number> {
    const { rows } = await direct.query('SELECT count(*) AS count FROM message_logs');
    return Number(rows[0].count);
  }

  it.each([
    ['before the statement has arrived', 'request'],
    ['when it is committed and its answer is on the way', 'answer'],
  ] as const)('%s is accepted with a 202, as one message', async (_when, when) => {
    const marks = when === 'request' ? marksOf(ACCEPT, service.config) : committing(service.config);
    const cut = postgres.cutNext(marks, when);
    const sent = await service.api.send(PHONE);
    await cut;
    expect(sent.status).toBe(202);
    expect(await count()).toBe(before + 1);
    expect(await service.api.message(sent.body.data['message_log_id'])).toMatchObject({ retry_of: null });
  });

  it('while its statement waits for a lock is accepted as one message', async () => {
    const holder = new Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE ledger_entries IN EXCLUSIVE MODE');
    const waiting = async () => {
      const { rows } = await direct.query(
        `SELECT pid FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%message_logs_id_seq%'`,
      );
      return rows.map((row) => row.pid);
    };
    const sending = service.api.send(PHONE);
    const [first] = await eventually(async () => {
      const pids = await waiting();
      expect(pids).toHaveLength(1);
      return pids;
    });
    await postgres.break();
    await postgres.mend();
    // The service ends the first statement, and tries again with a second one, which waits too.
    await eventually(async () => {
      const pids = await waiting();
      expect(pids).toHaveLength(1);
      expect(pids).not.toContain(first);
    });
    await holder.end();
    expect((await sending).status).toBe(202);
    expect(await count()).toBe(before + 1);
  });

  it('is accepted once, like each other send of its commit, with an Idempotency-Key or without', async () => {
    const cut = postgres.cutNext(committing(service.config), 'answer');
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        service.api.send(PHONE, {}, i % 2 ? { 'Idempotency-Key': `cut-${i}` } : {}),
      ),
    );
    await cut;
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 30 }, () => 202));
    const ids = answers.map((answer) => answer.body.data['message_log_id']);
    expect(new Set(ids).size).toBe(30);
    expect(await count()).toBe(before + 30);
    const again = await service.api.send(PHONE, {}, { 'Idempotency-Key': 'cut-1' });
    expect(again.body.data['message_log_id']).toBe(ids[1]);
  });

  describe('for a batch', () => {
    const messages = Array.from({ length: 300 }, (_, i) => sendBody(i % 100 ? PHONE : '12'));
    const post = (headers?: Record<string, string>) =>
      service.api.post('/api/v1/messages/batch', { messages }, headers);

    it.each([
      ['before the statement has arrived', 'request', {}],
      ['when it is committed and its answer is on the way', 'answer', {}],
      ['before it has arrived, with a key', 'request', { 'Idempotency-Key': 'batch-request' }],
      ['when it is committed, with a key', 'answer', { 'Idempotency-Key': 'batch-answer' }],
    ] as const)('%s, is accepted once, all of it', async (_when, when, headers) => {
      const marks =
        when === 'request' ? marksOf(ACCEPT_BATCH, service.config) : committing(service.config, ACCEPT_BATCH);
      const cut = postgres.cutNext(marks, when);
      const answer = await post(headers);
      await cut;
      expect(answer.body.data).toMatchObject({ accepted: 297, refused: 3 });
      expect(await count()).toBe(before + 297);
      if (!('Idempotency-Key' in headers)) return;
      expect((await post(headers)).body).toEqual(answer.body);
      expect(await count()).toBe(before + 297);
    });

    it('gets a 503 when its fate is not known, and later its answer by the Idempotency-Key', async () => {
      const headers = { 'Idempotency-Key': 'batch-unknown' };
      const cut = postgres
        .cutNext(committing(service.config, ACCEPT_BATCH), 'answer')
        .then(() => postgres.break());
      expect(await post(headers)).toBeError(503, 'SERVICE_UNAVAILABLE', []);
      await cut;
      await postgres.mend();
      const answer = await eventually(async () => {
        const again = await post(headers);
        expect(again.status).toBe(200);
        return again;
      });
      expect(answer.body.data).toMatchObject({ accepted: 297, refused: 3 });
      expect(await count()).toBe(before + 297);
    });
  });

  it('gets a 503 when its fate is not known, and later its answer by the Idempotency-Key', async () => {
    const cut = postgres.cutNext(committing(service.config), 'answer').then(() => postgres.break());
    const answer = await service.api.post('/api/v1/messages/send', sendBody(PHONE), {
      'Idempotency-Key': 'unknown',
    });
    await cut;
    expect(answer).toBeError(503, 'SERVICE_UNAVAILABLE', []);
    expect(answer.body.error.message).toMatch(/may have been accepted.*Idempotency-Key/);
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
    await postgres.mend();
    const again = await eventually(async () => {
      const repeated = await service.api.send(PHONE, {}, { 'Idempotency-Key': 'unknown' });
      expect(repeated.status).toBe(202);
      return repeated;
    });
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    expect(await count()).toBe(before + 1);
  });

  it.each(['+12025550122', '+12025550110'])(
    'while its outcome is recorded has this outcome once (recipient %s)',
    async (phone) => {
      const statement = phone.endsWith('22') ? RECORD_RETRY : RECORD_FAILED;
      const cut = postgres.cutNext(marksOf(statement, service.config), 'answer');
      const id = (await service.api.send(phone)).body.data['message_log_id'];
      await cut;
      const message = await eventually(async () => {
        const record = await service.api.message(id);
        expect(record['status']).toBe(phone.endsWith('22') ? 'read' : 'failed');
        return record;
      });
      const events = message['events'].map(({ event }: { event: string }) => event);
      expect(events).not.toContain('late_answer');
      expect((await service.api.get('/metrics')).text).not.toContain('tms_late_total{kind="answer"}');
    },
  );
});
