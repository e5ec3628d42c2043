import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { DEMO } from '../src/embedded/demo.js';
import { BreakableProxy } from './support/breakable-proxy.js';
import { messageLogIdOf } from './support/copies.js';
import { dashboardApi } from './support/dashboard-api.js';
import type { Api } from './support/api.js';
import { eventually } from './support/eventually.js';
import { createTestDatabase, type TestDatabase } from './support/infrastructure.js';
import { startTestService, type TestService } from './support/service.js';
import { deliver, receipt } from './support/webhooks.js';

/** Milliseconds: the promised five seconds, and as much again for a slow machine. */
const PROMISED = 10_000;

const PHONE = '+12025550100';

describe('While PostgreSQL is silent', () => {
  let database: TestDatabase;
  let postgres: BreakableProxy;
  let service: TestService;
  let dashboard: Api;
  /** A connection that does not pass through the proxy. */
  let direct: pg.Client;
  const accepted: number[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    postgres = await BreakableProxy.before(database.serviceUrl);
    service = await startTestService({ DATABASE_URL: postgres.url });
    dashboard = await dashboardApi(service);
    direct = new pg.Client({ connectionString: database.url });
    await direct.connect();
  });
  afterAll(async () => {
    await direct.end();
    await service.stop();
    await postgres.break();
    await database.drop();
  });

  async function send(): Promise<number> {
    const { status, body } = await service.api.send(PHONE);
    if (status === 202) accepted.push(body.data['message_log_id']);
    return status;
  }

  /** Makes the process open all connections of both pools. */
  const warmUp = () =>
    Promise.all(
      Array.from({ length: 30 }, () => [
        service.api.get('/api/v1/messages'),
        service.api.get('/api/v1/messages/1'),
      ]).flat(),
    );

  const requests: Record<string, () => Promise<number>> = {
    'a send': send,
    'the list of messages': async () => (await service.api.get('/api/v1/messages')).status,
    'a message': async () => (await service.api.get('/api/v1/messages/1')).status,
    'an unknown key': async () =>
      (await service.api.get('/api/v1/templates', { Authorization: `Bearer tms_${'x'.repeat(40)}` })).status,
    'a webhook': async () =>
      (await deliver(service, [DEMO.wabaId, 'messages', receipt({ id: 'x', status: 'read' })])).status,
    'the dashboard': async () => (await dashboard.get('/dashboard/api/messages')).status,
  };
  const ready = async () => (await service.api.get('/health/ready')).status;

  async function timed(request: () => Promise<number>) {
    const start = performance.now();
    const status = await request();
    return { status, milliseconds: performance.now() - start };
  }

  /** Every accepted message is read, and the phone has got none twice. */
  async function expectAllReadOnce(): Promise<void> {
    for (const id of accepted)
      await eventually(async () => expect(await service.api.message(id)).toMatchObject({ status: 'read' }));
    const ids = service.sandbox.messages().map(messageLogIdOf);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(accepted));
  }

  it('each request is answered within the promised time, and later all goes on by itself', async () => {
    expect(await send()).toBe(202);
    await warmUp();
    postgres.silence('all');
    for (let round = 0; round < 2; round += 1) {
      const answers = await Promise.all(
        Object.entries(requests).map(async ([name, request]) => ({ name, ...(await timed(request)) })),
      );
      for (const answer of answers) expect(answer).toMatchObject({ status: 503, name: expect.any(String) });
      for (const { milliseconds } of answers) expect(milliseconds).toBeLessThan(PROMISED);
      expect(await ready()).toBe(503);
    }
    postgres.speak();
    await eventually(async () => expect(await ready()).toBe(200));
    expect(await send()).toBe(202);
    await expectAllReadOnce();
  });

  it('on the open connections, the first requests notice it, and new connections serve the next ones', async () => {
    await warmUp();
    postgres.silence('open');
    const statuses = [];
    for (let i = 0; i < 10; i += 1) statuses.push(await send());
    expect(statuses.slice(2)).toEqual(statuses.slice(2).map(() => 202));
    await eventually(async () => expect(await ready()).toBe(200));
    await expectAllReadOnce();
    postgres.speak();
  });

  it('because of a lock, sends get a 503 and are not accepted until the lock is gone', async () => {
    const count = async () => (await direct.query('SELECT count(*) FROM message_logs')).rows[0].count;
    const before = await count();
    await direct.query('BEGIN; LOCK TABLE message_logs IN ACCESS EXCLUSIVE MODE');
    const answers = await Promise.all(Array.from({ length: 5 }, () => timed(send)));
    for (const answer of answers) expect(answer.status).toBe(503);
    for (const { milliseconds } of answers) expect(milliseconds).toBeLessThan(PROMISED);
    expect(await count()).toBe(before);
    await direct.query('ROLLBACK');
    await eventually(async () => expect(await send()).toBe(202));
    await expectAllReadOnce();
  });

  it('for the table of deliveries, webhooks do not count as heard', async () => {
    const heardUntil = async () =>
      (await direct.query('SELECT heard_until FROM webhook_hearing')).rows[0].heard_until.getTime();
    const noted = await heardUntil();
    await eventually(async () => expect(await heardUntil()).toBeGreaterThan(noted));
    await direct.query('BEGIN; LOCK TABLE webhook_inbox IN ACCESS EXCLUSIVE MODE');
    expect(await requests['a webhook']!()).toBe(503);
    const last = await heardUntil();
    await eventually(async () => {
      const { body } = await service.api.get('/health/ready');
      expect(body.error.details[0].late).toContain('storing webhooks');
    });
    expect(await heardUntil()).toBe(last);
    await direct.query('ROLLBACK');
    expect(await requests['a webhook']!()).toBe(200);
    await eventually(async () => expect(await heardUntil()).toBeGreaterThan(last));
  });
});
