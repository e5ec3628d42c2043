import { describe, expect, it } from '@jest/globals';
import { parseRedisUrl, redisUrlFault } from './redis-url.js';

describe('A REDIS_URL', () => {
  it.each([
    ['redis://localhost', { kind: 'server', href: 'redis://localhost' }],
    ['REDISS://:p%40ss@[::1]:6380/3', { kind: 'server', href: 'rediss://:p%40ss@[::1]:6380/3' }],
    [
      'redis+cluster://one:7000,two,[::1]:7002,[fe80::1]',
      {
        kind: 'cluster',
        tls: false,
        nodes: [
          { host: 'one', port: 7000 },
          { host: 'two', port: 6379 },
          { host: '::1', port: 7002 },
          { host: 'fe80::1', port: 6379 },
        ],
      },
    ],
    [
      'Rediss+Cluster://us%3Aer:p%40ss%2C%2F%3F%23%25:x@10.0.0.1:7000/0',
      {
        kind: 'cluster',
        tls: true,
        nodes: [{ host: '10.0.0.1', port: 7000 }],
        username: 'us:er',
        password: 'p@ss,/?#%:x',
      },
    ],
    [
      'redis+sentinel://:secret@one,two:26380/my%2Fmaster/5',
      {
        kind: 'sentinel',
        tls: false,
        sentinels: [
          { host: 'one', port: 26_379 },
          { host: 'two', port: 26_380 },
        ],
        master: 'my/master',
        database: 5,
        password: 'secret',
      },
    ],
    [
      'rediss+sentinel://one/main/',
      {
        kind: 'sentinel',
        tls: true,
        sentinels: [{ host: 'one', port: 26_379 }],
        master: 'main',
        database: 0,
      },
    ],
  ])('like %s is read', (url, target) => {
    expect(parseRedisUrl(url)).toEqual(target);
    expect(redisUrlFault(url)).toBeNull();
  });

  it.each([
    ['localhost:6379', 'must be'],
    ['redis://', 'must be'],
    ['redis://one:6379,two:6379', 'must be'],
    ['mysql+cluster://secret@one', 'must be'],
    ['redis+cluster:one', 'must be'],
    ['redis://:secret@one?tls=1', 'parameters'],
    ['redis+cluster://:secret#one', 'parameters'],
    ['redis+cluster://:sec@ret@one', 'as in %40'],
    ['redis+cluster://:sec%ret@one', '%25'],
    ['redis+cluster://secret@one', 'without a password'],
    ['redis+cluster://secret:@one', 'without a password'],
    ['redis+cluster://', 'host:port'],
    ['redis+cluster://one,,two', 'host:port'],
    ['redis+cluster://one:port', 'host:port'],
    ['redis+cluster://::1:7000', 'host:port'],
    ['redis+cluster://one:70000', 'between 1 and 65535'],
    ['redis+cluster://one:0', 'between 1 and 65535'],
    ['redis+cluster://one/1', 'database 0 only'],
    ['redis+cluster://one/main/0', 'database 0 only'],
    ['redis+sentinel://one,two', 'name by which they know the master'],
    ['redis+sentinel://one//0', 'name by which they know the master'],
    ['redis+sentinel://one/main/zero', 'number of the database'],
    ['redis+sentinel://one/main/0/more', 'number of the database'],
  ])('like %s is refused, and the fault says what to do without the value', (url, advice) => {
    const fault = redisUrlFault(url);
    expect(fault).toContain(advice);
    expect(fault).toMatch(/^REDIS_URL /);
    expect(fault).not.toMatch(/sec|\b(one|two)\b/);
  });
});
