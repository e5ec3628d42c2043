import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, type DatabaseError } from 'pg';
import { EmbeddedError } from './embedded-error.js';
import { portInUse } from './ports.js';
import { postgresBinaries } from './postgres-binaries.js';
import { clusterFolder, prepareCluster } from './postgres-cluster.js';
import { postgresRunAs } from './postgres-user.js';
import type { RunningServer, ServerOptions } from './server-options.js';
import { supervise, tail, type Supervised } from './supervised.js';

const DATABASE = 'messaging';

/** Recovery after a power cut may take a while. */
const START_TIMEOUT = 120_000;

const ORPHANS_TIMEOUT = 15_000;

/** For a laptop. Commits stay on disk before they are answered: `synchronous_commit` keeps its default. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  // TCP only: a socket's path is limited in length, and its folder would need a place of its own.
  unix_socket_directories: '',
  max_connections: 200,
  shared_buffers: '128MB',
  jit: 'off',
  random_page_cost: '1.1', // an SSD
  timezone: 'UTC',
  log_timezone: 'UTC',
  cluster_name: 'template-messaging-service',
};

/** For data that nobody needs after the run. */
const DISPOSABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

export function databaseUrl(port: number, password: string, database = DATABASE): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;
}

/** Starts the private PostgreSQL, creating it on the first start, and waits until it answers. */
export async function startPostgres(options: ServerOptions): Promise<RunningServer> {
  const { dataDir, port, password, durable, progress } = options;
  const binaries = postgresBinaries();
  const cluster = clusterFolder(dataDir);
  const runAs = await postgresRunAs(binaries.postgres, dataDir, cluster, progress);
  await prepareCluster(dataDir, binaries, runAs, options);

  const settings = Object.entries({ ...SETTINGS, port, ...(durable ? {} : DISPOSABLE) });
  const flags = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const logFile = join(dataDir, 'postgres.log');
  const launch = () =>
    supervise([binaries.postgres, '-D', cluster, ...flags], { stopSignal: 'INT', logFile, runAs });
  const server = await untilReady(launch, options, logFile);
  return { url: databaseUrl(port, password), logFile, ...server };
}

/** Retries the start while processes of a killed PostgreSQL are still ending: they hold its shared memory. */
async function untilReady(
  launch: () => Supervised,
  options: ServerOptions,
  logFile: string,
): Promise<Supervised> {
  const end = Date.now() + ORPHANS_TIMEOUT;
  for (;;) {
    const server = launch();
    try {
      await untilAnswers(server, options);
      await createDatabase(options);
      return server;
    } catch (error) {
      await server.stop();
      if (error instanceof EmbeddedError) throw error;
    }
    const said = await tail(logFile);
    if (!said.includes('pre-existing shared memory') || Date.now() > end)
      throw startFault(options, logFile, said);
    await delay(200);
  }
}

async function untilAnswers(server: Supervised, options: ServerOptions): Promise<void> {
  let ended = false;
  void server.exited.then(() => (ended = true));
  const end = Date.now() + START_TIMEOUT;
  while (!(await answers(options))) {
    if (ended || Date.now() > end) throw new Error('PostgreSQL does not answer');
    await delay(25);
  }
}

async function answers({ port, password, dataDir }: ServerOptions): Promise<boolean> {
  try {
    await withClient(databaseUrl(port, password, 'postgres'), async () => undefined);
    return true;
  } catch (error) {
    if ((error as DatabaseError).code !== '28P01') return false;
    throw new EmbeddedError(
      `The password in ${join(dataDir, 'secrets.json')} does not fit the database beside it: ` +
        `restore that file, or delete ${dataDir} (with all its data) to begin anew.`,
    );
  }
}

function startFault({ dataDir, port }: ServerOptions, logFile: string, said: string): EmbeddedError {
  if (said.includes('Address already in use')) return portInUse('postgres', port);
  return new EmbeddedError(
    `The private PostgreSQL did not start: mend what ${logFile} says; where its data are damaged, restore ` +
      `${clusterFolder(dataDir)} or delete ${dataDir} (with all its data) to begin anew.\n${said}`,
  );
}

async function createDatabase({ port, password }: ServerOptions): Promise<void> {
  await withClient(databaseUrl(port, password, 'postgres'), async (client) => {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  });
}

async function withClient(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
