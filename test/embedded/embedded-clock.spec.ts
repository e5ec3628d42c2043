import { afterEach, describe, expect, it } from '@jest/globals';
import { readEnvironment } from '../../src/config/config.js';
import { EmbeddedDefault } from '../../src/embedded/embedded-default.js';
import { adminClock } from '../../src/admin/admin-config.js';
import { createTestDatabase, testRedisUrl } from '../support/infrastructure.js';
import { useTemporaryFolder } from '../support/temporary-folder.js';

const folder = useTemporaryFolder();

let embedded: EmbeddedDefault | null;
afterEach(() => embedded?.stop());

async function start(variables: Record<string, string>): Promise<EmbeddedDefault> {
  const environment = readEnvironment({ DATA_DIR: folder(), ...variables });
  embedded = await EmbeddedDefault.start(environment, () => undefined);
  if (!embedded) throw new Error('Nothing was missing.');
  return embedded;
}

async function move(by: string): Promise<{ status: number; body: any }> {
  const answer = await fetch(`${embedded?.env['PROVIDER_BASE_URL']}/control/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ forward: by }),
  });
  return { status: answer.status, body: await answer.json() };
}

describe('The clock of the embedded default', () => {
  it('can be moved where all of it is its own; a restart and the admin commands know of it', async () => {
    const first = await start({});
    expect(await move('26h')).toMatchObject({ status: 200, body: { ahead: 26 * 3_600_000 } });
    expect(first.clock.ahead).toBe(26 * 3_600_000);
    await first.stop();
    expect((await start({})).clock.ahead).toBe(26 * 3_600_000);
    expect((await adminClock({ DATA_DIR: folder() })).ahead).toBe(26 * 3_600_000);
    expect((await adminClock({ DATA_DIR: folder(), DATABASE_URL: 'postgres://elsewhere' })).ahead).toBe(0);
  });

  it('cannot be moved on a database that others may use, nor where others do the work', async () => {
    const [database, redisUrl] = await Promise.all([createTestDatabase(), testRedisUrl()]);
    try {
      for (const role of ['all', 'api']) {
        const started = await start({ REDIS_URL: redisUrl, DATABASE_URL: database.url, ROLE: role });
        const { status, body } = await move('26h');
        expect([status, body.error.error_data.details]).toEqual([
          400,
          expect.stringContaining('cannot be moved'),
        ]);
        expect(started.clock.ahead).toBe(0);
        await started.stop();
      }
    } finally {
      await database.drop();
    }
  });
});
