import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { EmbeddedError } from './embedded-error.js';
import { portInUse } from './ports.js';
import { redisBinary } from './redis-binary.js';
import type { RunningServer, ServerOptions } from './server-options.js';
import { supervise, tail, type Supervised } from './supervised.js';

const START_TIMEOUT = 15_000;

export function redisUrl(port: number, password: string): string {
  return `redis://:${password}@127.0.0.1:${port}/0`;
}

const redisFolder = (dataDir: string) => join(dataDir, 'redis');

export const redisPidFile = (dataDir: string) => join(redisFolder(dataDir), 'redis.pid');

/** Nothing is kept on disk: PostgreSQL is the truth, and what was in motion is found again from its rows. */
const configuration = ({ dataDir, port, password, durable }: ServerOptions) => `
bind 127.0.0.1
port ${port}
requirepass ${password}
dir "${redisFolder(dataDir)}"
pidfile "${redisPidFile(dataDir)}"
daemonize no
save ""
appendonly no
maxmemory-policy noeviction
databases ${durable ? 16 : 256}
`;

/** Starts the private Redis and waits until it answers. */
export async function startRedis(options: ServerOptions): Promise<RunningServer> {
  const { dataDir, port, password, progress } = options;
  const binary = await redisBinary(dataDir, progress);
  const folder = redisFolder(dataDir);
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o700);
  const file = join(folder, 'redis.conf');
  // A file, not arguments: those are visible to every user of the machine.
  await writeFile(file, configuration(options), { mode: 0o600 });
  const logFile = join(dataDir, 'redis.log');
  const server = supervise([binary, file], { stopSignal: 'TERM', logFile });
  try {
    await untilReady(server, options, logFile);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { url: redisUrl(port, password), logFile, ...server };
}

async function untilReady(
  server: Supervised,
  { port, password }: ServerOptions,
  logFile: string,
): Promise<void> {
  let ended = false;
  void server.exited.then(() => (ended = true));
  const end = Date.now() + START_TIMEOUT;
  while (!(await answers(redisUrl(port, password)))) {
    if (ended || Date.now() > end) throw await startFault(port, logFile);
    await delay(20);
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new Redis(url, {
    lazyConnect: true,
    retryStrategy: null,
    connectTimeout: 2_000,
    // The client's timer goes on after a refused connection, and would keep a short command waiting.
    disconnectTimeout: 100,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.ping()) === 'PONG';
  } catch {
    return false;
  } finally {
    client.disconnect();
  }
}

async function startFault(port: number, logFile: string): Promise<EmbeddedError> {
  const said = await tail(logFile);
  if (said.includes('Address already in use')) return portInUse('redis', port);
  return new EmbeddedError(
    `The private Redis did not start: mend what is said here, or set REDIS_URL.\n${said}`,
  );
}
