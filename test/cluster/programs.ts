import { access, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram, installPackages, mayInstall } from '../../src/embedded/debian-packages.js';
import { tail } from '../../src/embedded/supervised.js';

/** The packages of Debian, Ubuntu and the like, by the program that they bring. */
const PACKAGES = {
  postgres: ['postgresql', 'postgresql-common'],
  patroni: ['patroni'],
  etcd: ['etcd-server'],
  pgbouncer: ['pgbouncer'],
  haproxy: ['haproxy'],
  'redis-server': ['redis-server'],
} as const;

export type ProgramName = keyof typeof PACKAGES;

/** Where Debian puts PostgreSQL's programs, as several versions may stand beside each other. */
const POSTGRES_VERSIONS = '/usr/lib/postgresql';

/** Patroni needs all of these, from one version. */
const POSTGRES_PROGRAMS = ['postgres', 'initdb', 'pg_ctl', 'pg_controldata', 'pg_basebackup', 'pg_rewind'];

/**
 * The full paths of the programs that a cluster is made of. Those that are missing are installed where we are root on
 * Debian, without starting their services.
 * @throws Error that says what to install
 */
export async function clusterPrograms<Name extends ProgramName>(
  names: readonly Name[],
  progress: (line: string) => void,
): Promise<Record<Name, string>> {
  const missing = await missingOf(names);
  if (missing.length > 0) await install(missing, progress);
  const found = await Promise.all(names.map(async (name) => [name, await find(name)] as const));
  return Object.fromEntries(found) as Record<Name, string>;
}

async function install(missing: ProgramName[], progress: (line: string) => void): Promise<void> {
  const packages = missing.flatMap((name) => PACKAGES[name]);
  const what = `${missing.join(', ')} (Debian, Ubuntu: "sudo apt-get install ${packages.join(' ')}")`;
  if (!(await mayInstall())) throw new Error(`The cluster's tests need programs that are not here: ${what}`);
  progress(`Installing what the cluster's tests need: ${packages.join(' ')}`);
  const folder = await mkdtemp(join(tmpdir(), 'tms-install-'));
  try {
    const logFile = join(folder, 'apt.log');
    const all = async () => ((await missingOf(missing)).length === 0 ? true : undefined);
    if (await installPackages(packages, all, logFile)) return;
    throw new Error(`The cluster's tests need ${what}; apt-get cannot install it:\n${await tail(logFile)}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function missingOf(names: readonly ProgramName[]): Promise<ProgramName[]> {
  const paths = await Promise.all(names.map(find));
  return names.filter((_name, index) => paths[index] === undefined);
}

/** Of PostgreSQL the folder of its programs. Some programs are in folders that only root's PATH has. */
async function find(name: ProgramName): Promise<string | undefined> {
  if (name === 'postgres') return findPostgres();
  const found = await findProgram(name);
  if (found) return found;
  const inSbin = `/usr/sbin/${name}`;
  return (await exists(inSbin)) ? inSbin : undefined;
}

/** The newest version that is complete. */
async function findPostgres(): Promise<string | undefined> {
  const versions = await readdir(POSTGRES_VERSIONS).catch(() => []);
  for (const version of versions.toSorted((a, b) => Number(b) - Number(a))) {
    const folder = join(POSTGRES_VERSIONS, version, 'bin');
    const have = await Promise.all(POSTGRES_PROGRAMS.map((program) => exists(join(folder, program))));
    if (have.every(Boolean)) return folder;
  }
  return undefined;
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
