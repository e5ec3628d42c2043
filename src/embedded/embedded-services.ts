import { resolve } from 'node:path';
import { prepareDataDir } from './data-dir.js';
import { databaseUrl, startPostgres } from './embedded-postgres.js';
import { redisUrl, startRedis } from './embedded-redis.js';
import { stopLeftovers } from './leftovers.js';
import { lockDataDir, lockHolder } from './lock.js';
import { keptPort, readPorts, type Service } from './ports.js';
import { loadSecrets, readSecrets } from './secrets.js';
import type { RunningServer, ServerOptions } from './server-options.js';

export interface EmbeddedNeeds {
  postgres: boolean;
  redis: boolean;
}

export interface EmbeddedUrls {
  databaseUrl?: string;
  redisUrl?: string;
}

export interface EmbeddedServices extends EmbeddedUrls {
  /** Stops what was started and gives the data folder back; may be called again. */
  stop(): Promise<void>;
}

/**
 * Starts a private PostgreSQL and a private Redis under a data folder, on 127.0.0.1, and waits until they answer.
 * They end with `stop`, and also when this process ends in any other way.
 * @param progress takes what the user may want to know, a line at a time
 * @param options `durable: false` for tests: no fsync, and 256 Redis databases instead of 16
 * @throws EmbeddedError whose message says what to do
 */
export async function startEmbedded(
  needs: EmbeddedNeeds,
  dataDir: string,
  progress: (line: string) => void,
  options: { durable?: boolean } = {},
): Promise<EmbeddedServices> {
  const folder = await prepareDataDir(dataDir);
  const unlock = await lockDataDir(folder);
  try {
    await stopLeftovers(folder);
    const servers = await startServers(needs, {
      dataDir: folder,
      durable: options.durable ?? true,
      progress,
    });
    return handle(servers, unlock, progress);
  } catch (error) {
    unlock();
    throw error;
  }
}

/**
 * The services that another running process has started in a data folder (or is starting), for commands beside it;
 * undefined when no process has.
 */
export async function findEmbedded(dataDir: string): Promise<EmbeddedUrls | undefined> {
  const folder = resolve(dataDir);
  if (!(await lockHolder(folder))) return undefined;
  const [ports, secrets] = await Promise.all([readPorts(folder), readSecrets(folder)]);
  const { databasePassword, redisPassword } = secrets;
  return {
    ...(ports.postgres && databasePassword && { databaseUrl: databaseUrl(ports.postgres, databasePassword) }),
    ...(ports.redis && redisPassword && { redisUrl: redisUrl(ports.redis, redisPassword) }),
  };
}

type Servers = Partial<Record<Service, RunningServer>>;

/** Starts both at the same time; when one fails, the other is stopped. */
async function startServers(
  needs: EmbeddedNeeds,
  common: Omit<ServerOptions, 'port' | 'password'>,
): Promise<Servers> {
  const { dataDir, progress } = common;
  const secrets = await loadSecrets(dataDir);
  const starts: Partial<Record<Service, Promise<RunningServer>>> = {};
  if (needs.postgres) {
    const port = await keptPort(dataDir, 'postgres', progress);
    starts.postgres = startPostgres({ ...common, port, password: secrets.databasePassword });
  }
  if (needs.redis) {
    const port = await keptPort(dataDir, 'redis', progress);
    starts.redis = startRedis({ ...common, port, password: secrets.redisPassword });
  }
  const results = await Promise.allSettled([starts.postgres, starts.redis]);
  const [postgres, redis] = results.map((result) =>
    result.status === 'fulfilled' ? result.value : undefined,
  );
  const fault = results.find((result) => result.status === 'rejected');
  if (!fault) return { ...(postgres && { postgres }), ...(redis && { redis }) };
  await Promise.all([postgres?.stop(), redis?.stop()]);
  throw fault.reason;
}

function handle(servers: Servers, unlock: () => void, progress: (line: string) => void): EmbeddedServices {
  let stopped: Promise<void> | undefined;
  const watch = async (name: string, { exited, logFile }: RunningServer) => {
    const code = await exited;
    if (!stopped) progress(`The private ${name} has ended unexpectedly (exit code ${code}); see ${logFile}`);
  };
  for (const [name, server] of Object.entries(servers)) void watch(name, server);
  const stopAll = async () => {
    await Promise.all(Object.values(servers).map((server) => server.stop()));
    unlock();
  };
  const stop = () => (stopped ??= stopAll());
  return {
    ...(servers.postgres && { databaseUrl: servers.postgres.url }),
    ...(servers.redis && { redisUrl: servers.redis.url }),
    stop,
  };
}
