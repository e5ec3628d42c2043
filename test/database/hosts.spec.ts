import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Hosts } from '../../src/database/hosts.js';
import { BreakableProxy } from '../support/breakable-proxy.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/infrastructure.js';
import { PostgresWithStandby } from '../support/postgres-with-standby.js';

/** Milliseconds: longer than one look at the hosts takes. */
const SLOW = 1_500;

describe('The hosts of a URL', () => {
  let database: TestDatabase;
  let first: BreakableProxy;
  let second: BreakableProxy;

  beforeAll(async () => {
    database = await createTestDatabase();
    [first, second] = [await BreakableProxy.before(database.url), await BreakableProxy.before(database.url)];
  });
  afterAll(async () => {
    await first.break();
    await second.break();
    await database.drop();
  });

  it('are found although each takes longer to answer than one look at them lasts', async () => {
    first.slow(SLOW);
    second.slow(SLOW);
    const url = new URL(first.url);
    const hosts = Hosts.of(first.url.replace(url.host, `${url.host},${new URL(second.url).host}`));
    await expect(hosts!.find()).rejects.toThrow('no answer');
    const { port } = await eventually(() => hosts!.find());
    expect([first, second].map((each) => Number(new URL(each.url).port))).toContain(port);
  });

  it('are not those of an earlier timeline than was seen, and the error says so', async () => {
    const postgres = await PostgresWithStandby.start();
    try {
      const { primary, standby } = postgres;
      const hosts = Hosts.of(postgres.urlOf(primary, standby))!;
      await postgres.promote();
      const promoted = Number(new URL(standby.proxy.url).port);
      await eventually(async () => {
        hosts.doubt();
        expect((await hosts.find()).port).toBe(promoted);
      });
      await standby.proxy.break();
      hosts.doubt();
      await expect(hosts.find()).rejects.toThrow('on timeline 1, after 2 was seen');
    } finally {
      await postgres.stop();
    }
  });
});
