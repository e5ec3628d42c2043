import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Hosts } from '../../src/database/hosts.js';
import { BreakableProxy } from '../support/breakable-proxy.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/infrastructure.js';

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
});
