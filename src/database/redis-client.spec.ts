import { describe, expect, it } from '@jest/globals';
import { eventually } from '../../test/support/eventually.js';
import { connectBeside, connectRedis, endRedis } from './redis-client.js';

/** What ioredis and we say of it. */
const FAULT = /closed|retries|startup nodes|isn't (ready|writeable)|ended|unreachable|Pipeline/;

describe.each([
  'redis://127.0.0.1:1',
  'redis+sentinel://127.0.0.1:1,127.0.0.1:2/main',
  'redis+cluster://127.0.0.1:1',
])('Where nothing answers, the connection of %s', (url) => {
  it('fails each command, a transaction too, and keeps none of them', async () => {
    const client = connectRedis({ REDIS_URL: url });
    client.on('error', () => undefined);
    try {
      for (let i = 0; i < 3; i += 1) {
        await expect(client.set('key', i)).rejects.toThrow(FAULT);
        await expect(client.multi().set('key', i).exec()).rejects.toThrow(FAULT);
      }
      await eventually(() =>
        expect((client as never as { offlineQueue: unknown[] }).offlineQueue).toHaveLength(0),
      );
    } finally {
      endRedis(client);
    }
  });

  it('ends at once, and later commands fail at once', async () => {
    const client = connectRedis({ REDIS_URL: url });
    client.on('error', () => undefined);
    const beside = connectBeside(client, { REDIS_URL: url }, 'blocking', '{queue}');
    beside.on('error', () => undefined);
    const waiting = Promise.allSettled([client.set('key', 1), client.multi().set('key', 1).exec()]);
    endRedis(client);
    beside.disconnect();
    expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(client.set('key', 2)).rejects.toThrow(FAULT);
    await expect(client.multi().set('key', 2).exec()).rejects.toThrow(FAULT);
  });
});
