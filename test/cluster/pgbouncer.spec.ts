import { execFile } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ACCEPT } from '../../src/messages/accept.sql.js';
import { BreakableProxy } from '../support/breakable-proxy.js';
import { CampaignsApi, recipientsCsv } from '../support/campaigns.js';
import { dashboardApi } from '../support/dashboard-api.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/infrastructure.js';
import { command } from '../support/moves.js';
import { PgBouncer, preparedLimit } from '../support/pgbouncer.js';
import { startTestService, type TestService } from '../support/service.js';
import { useTemporaryFolder } from '../support/temporary-folder.js';

const PHONE = '+12025550100';
const MAIN = new URL('../../dist/src/main.js', import.meta.url).pathname;

describe('A service through PgBouncer', () => {
  const folder = useTemporaryFolder();
  let database: TestDatabase;
  let bouncer: PgBouncer;
  /** Between the service and PgBouncer. */
  let proxy: BreakableProxy;
  let service: TestService;

  beforeAll(async () => {
    database = await createTestDatabase();
    bouncer = await PgBouncer.before(database.url, preparedLimit(0));
    proxy = await BreakableProxy.before(bouncer.urlOf(database.url));
    service = await startTestService({
      DATABASE_URL: proxy.url,
      DATABASE_DIRECT_URL: database.url,
      DATABASE_PREPARED_STATEMENTS: 'off',
    });
  });
  afterAll(async () => {
    await service.stop();
    await proxy.break();
    await bouncer.stop();
    await database.drop();
  });

  const count = async () => {
    const rows = await service.database.run<{ count: number }>({
      name: 'test_count',
      text: 'SELECT count(*)::integer AS count FROM message_logs',
    });
    return rows[0]?.count ?? 0;
  };

  it('sends at once, and applies the receipts', async () => {
    const id = (await service.api.send(PHONE)).body.data['message_log_id'];
    await eventually(async () => expect(await service.api.message(id)).toMatchObject({ status: 'read' }));
  });

  it('feeds a campaign to its end', async () => {
    const campaigns = new CampaignsApi(await dashboardApi(service));
    const id = await campaigns.ready(recipientsCsv(30));
    expect((await campaigns.start(id)).status).toBe(200);
    await eventually(async () => expect(await campaigns.get(id)).toMatchObject({ status: 'finished' }));
  });

  it('is administrated by commands', async () => {
    expect(await command(service, 'ledger:verify')).toMatchObject({ balanced: true });
    expect(await command(service, 'hold:list')).toEqual({ holds: [] });
  });

  it.each([
    ['before the commit has arrived', 'request'],
    ['when it is committed and its answer is on the way', 'answer'],
  ] as const)('accepts a send once whose connection is cut %s', async (_when, when) => {
    const before = await count();
    const cut = proxy.cutNext([ACCEPT.text, 'COMMIT'], when);
    const sent = await service.api.send(PHONE);
    await cut;
    expect(sent.status).toBe(202);
    expect(await count()).toBe(before + 1);
    const id = sent.body.data['message_log_id'];
    await eventually(async () => expect(await service.api.message(id)).toMatchObject({ status: 'read' }));
  });

  /** Starts a process of its own, which must not come up. @returns its exit code and what it says */
  function start(variables: Record<string, string>): Promise<{ code: unknown; said: string }> {
    const { REDIS_URL, PROVIDER_BASE_URL, ENCRYPTION_KEY, WEBHOOK_VERIFY_TOKEN, DASHBOARD_SESSION_SECRET } =
      service.config;
    const env = {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      PORT: '0',
      REDIS_URL,
      PROVIDER_BASE_URL,
      ENCRYPTION_KEY,
      WEBHOOK_VERIFY_TOKEN,
      DASHBOARD_SESSION_SECRET,
      DATABASE_URL: bouncer.urlOf(database.url),
      ...variables,
    };
    return new Promise((resolve) =>
      execFile(process.execPath, [MAIN], { env, cwd: folder() }, (error, _stdout, stderr) =>
        resolve({ code: error?.code ?? 0, said: stderr }),
      ),
    );
  }

  it('does not start without the address of PostgreSQL itself, and says so', async () => {
    const { code, said } = await start({});
    expect(code).toBe(1);
    expect(said).toContain('DATABASE_DIRECT_URL is not set');
    expect(said).not.toContain(new URL(database.url).password);
  });

  it('does not start with prepared statements that PgBouncer would lose, and says so', async () => {
    const { code, said } = await start({ DATABASE_DIRECT_URL: database.url });
    expect(code).toBe(1);
    expect(said).toContain('DATABASE_PREPARED_STATEMENTS must be off');
  });
});
