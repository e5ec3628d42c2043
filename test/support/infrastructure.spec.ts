import { Redis } from 'ioredis';
import { Client } from 'pg';
import { eventually } from './eventually.js';
import { createTestDatabase, testRedisUrl } from './infrastructure.js';

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('the test databases', () => {
  it('are separate and empty', async () => {
    const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    await query(one.url, 'CREATE TABLE only_here ()');
    await expect(query(other.url, 'SELECT FROM only_here')).rejects.toThrow('does not exist');
    await Promise.all([one.drop(), other.drop()]);
    await expect(query(one.url, 'SELECT 1')).rejects.toThrow('does not exist');
  });

  it('in Redis are separate too', async () => {
    const urls = await Promise.all([testRedisUrl(), testRedisUrl()]);
    const [one, other] = urls.map((url) => new Redis(url)) as [Redis, Redis];
    await one.set('key', 'value');
    expect(await other.get('key')).toBeNull();
    await Promise.all([one.quit(), other.quit()]);
  });
});

const fails = () => expect(1).toBe(2);

describe('eventually', () => {
  it('returns the value of the first call that does not throw', async () => {
    let calls = 0;
    const third = () => {
      if (++calls < 3) throw new Error('not yet');
      return calls;
    };
    expect(await eventually(third, { interval: 1 })).toBe(3);
  });

  it('throws the last error when nothing has moved for a while, with the time it took', async () => {
    await expect(eventually(fails, { patience: 20, interval: 1 })).rejects.toThrow(
      /toBe[^]*after \d+ ms, the last \d+ of them without a change/,
    );
  });

  it('goes on for as long as something moves', async () => {
    const start = performance.now();
    const moving = () => {
      const elapsed = performance.now() - start;
      if (elapsed < 400) throw new Error(`${Math.floor(elapsed / 20)} of 20`);
      return 'there';
    };
    expect(await eventually(moving, { patience: 200, interval: 1 })).toBe('there');
  });

  it('ends, although something moves for ever', async () => {
    let calls = 0;
    const moving = () => {
      throw new Error(`call ${(calls += 1)}`);
    };
    await expect(eventually(moving, { patience: 20, interval: 1 })).rejects.toThrow(/call \d+\n/);
  });
});
