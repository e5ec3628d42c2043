import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { CHANNELS, Notifications } from '../../src/database/notifications.js';
import { startEmbedded } from '../../src/embedded/embedded-services.js';
import { BreakableProxy } from '../support/breakable-proxy.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase } from '../support/infrastructure.js';
import { testConfig } from '../support/service.js';
import { useTemporaryFolder } from '../support/temporary-folder.js';

const LISTENERS = `
  SELECT count(*)::integer AS count FROM pg_stat_activity WHERE application_name LIKE '%listener'`;

describe('The listener', () => {
  const folder = useTemporaryFolder();

  it('leaves no connection open on a standby, which refuses to listen, however often it tries', async () => {
    const start = () =>
      startEmbedded({ postgres: true, redis: false }, folder(), () => undefined, { durable: false });
    await (await start()).stop();
    await writeFile(join(folder(), 'postgres', 'standby.signal'), '');
    const standby = await start();
    const direct = new pg.Client({ connectionString: standby.databaseUrl as string });
    await direct.connect();
    const notifications = new Notifications(testConfig({ DATABASE_URL: standby.databaseUrl as string }));
    notifications.on(CHANNELS.inbox, () => undefined);
    let tries = 0;
    const connect = notifications['connect'].bind(notifications);
    notifications['connect'] = (delay) => {
      tries += 1;
      return connect(delay);
    };
    try {
      await notifications.onApplicationBootstrap();
      await eventually(() => expect(tries).toBeGreaterThan(3));
      await eventually(async () => expect((await direct.query(LISTENERS)).rows[0].count).toBeLessThan(2));
    } finally {
      await notifications.onModuleDestroy();
      await direct.end();
      await standby.stop();
    }
  });

  it('notices that nothing comes over its connection any more, and listens on a new one', async () => {
    const database = await createTestDatabase();
    const proxy = await BreakableProxy.before(database.url);
    // Also where other services reach PostgreSQL by another way.
    const config = testConfig({ DATABASE_URL: proxy.url, DATABASE_DIRECT_URL: undefined });
    const notifications = new Notifications(config);
    const heard: (string | null)[] = [];
    notifications.on(CHANNELS.inbox, (payload) => heard.push(payload));
    try {
      await notifications.onApplicationBootstrap();
      expect(heard).toEqual([null]);
      proxy.silence('open');
      await eventually(() => expect(heard).toEqual([null, null]));
      const direct = new pg.Client({ connectionString: database.url });
      await direct.connect();
      await direct.query(`NOTIFY ${CHANNELS.inbox}, '7'`);
      await direct.end();
      await eventually(() => expect(heard).toEqual([null, null, '7']));
    } finally {
      await notifications.onModuleDestroy();
      await proxy.break();
      await database.drop();
    }
  });
});
