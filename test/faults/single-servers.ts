import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { BreakableProxy } from '../support/breakable-proxy.js';
import type { Action, Actions, Span } from './chaos.js';
import type { Ground } from './ground.js';
import { CrashableServer } from './servers.js';

type ServerName = 'postgres' | 'redis';

/** One PostgreSQL and one Redis, which the processes reach through proxies. */
export class SingleServers implements Ground {
  readonly actions: Actions;

  private constructor(
    private readonly servers: Record<ServerName, CrashableServer>,
    private readonly proxies: Record<ServerName, BreakableProxy>,
    silences: Span | null,
  ) {
    this.actions = {
      'Redis flushed': this.flushRedis,
      'Redis killed': this.crash('redis'),
      'PostgreSQL shut down at once': this.crash('postgres'),
      'all of it killed': this.cutPower,
      ...(silences && {
        'PostgreSQL silent': this.silence('postgres', 'all', silences),
        'PostgreSQL silent on old connections': this.silence('postgres', 'open', silences),
        'Redis silent': this.silence('redis', 'all', silences),
        'Redis silent on old connections': this.silence('redis', 'open', silences),
      }),
    };
  }

  /** @param silences how long a server is silent; null leaves these faults out */
  static async start(folder: string, silences: Span | null): Promise<SingleServers> {
    const postgres = await CrashableServer.postgres(folder);
    const redis = await CrashableServer.redis(folder);
    const proxies = {
      postgres: await BreakableProxy.before(postgres.url),
      redis: await BreakableProxy.before(redis.url),
    };
    return new SingleServers({ postgres, redis }, proxies, silences);
  }

  /** Past the proxy. */
  get databaseUrl(): string {
    return this.servers.postgres.url;
  }

  environmentOf(): Record<string, string> {
    return { DATABASE_URL: this.proxies.postgres.url, REDIS_URL: this.proxies.redis.url };
  }

  async stop(): Promise<void> {
    for (const proxy of Object.values(this.proxies)) await proxy.break();
    for (const server of Object.values(this.servers)) await server.stop();
  }

  private readonly flushRedis: Action = async (_processes, _random, { happened }) => {
    const client = new Redis(this.servers.redis.url);
    try {
      await client.flushall();
      happened();
    } finally {
      client.disconnect();
    }
  };

  private readonly cutPower: Action = async (processes, _random, { happened }) => {
    happened();
    for (const process of processes) process.kill();
    const servers = Object.values(this.servers);
    await Promise.all(servers.map((server) => server.crash()));
    await Promise.all(servers.map((server) => server.restart()));
  };

  private crash(name: ServerName): Action {
    return async (_processes, _random, { happened }) => {
      happened();
      await this.servers[name].crash();
      await this.servers[name].restart();
    };
  }

  private silence(name: ServerName, which: 'all' | 'open', [shortest, longest]: Span): Action {
    return async (_processes, random, { happened }) => {
      this.proxies[name].silence(which);
      happened();
      await delay(random.between(shortest, longest));
      this.proxies[name].speak();
    };
  }
}
