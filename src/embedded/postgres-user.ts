import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedError } from './embedded-error.js';
import type { RunAs } from './supervised.js';

const run = promisify(execFile);

interface User {
  uid: number;
  gid: number;
}

/** `owner`: to whom the data have to belong where that is not the caller. */
export type PostgresRunAs = RunAs & { owner?: User | undefined };

const id = async (flag: '-u' | '-g') => Number((await run('id', [flag, 'postgres'])).stdout);

async function postgresUser(progress: (line: string) => void): Promise<User> {
  try {
    return { uid: await id('-u'), gid: await id('-g') };
  } catch {
    progress('Creating the system user "postgres": PostgreSQL does not run as root');
  }
  try {
    await run('useradd', [
      '--system',
      '--user-group',
      '--no-create-home',
      '--shell',
      '/usr/sbin/nologin',
      'postgres',
    ]);
    return { uid: await id('-u'), gid: await id('-g') };
  } catch (error) {
    throw new EmbeddedError(
      'PostgreSQL does not run as root, and the system user "postgres" cannot be created ' +
        `(${(error as Error).message.trim()}): create it, start as another user, or set DATABASE_URL.`,
    );
  }
}

/** The user who owns the data already; may be another than the one chosen now. */
async function ownerOf(cluster: string): Promise<User | undefined> {
  const { uid, gid } = await stat(cluster).catch(() => ({ uid: 0, gid: 0 }));
  return uid === 0 ? undefined : { uid, gid };
}

/**
 * For files below a folder that only root may enter (a clone in /root or in `mktemp -d`): the other user keeps the
 * capability to pass through. PostgreSQL only refuses to *be* root. Without no_setuid_fixup, its access() checks would
 * not use the capability.
 */
const keeping = (capability: string, { uid, gid }: User): RunAs => ({
  prefix: [
    'setpriv',
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    '--securebits=+no_setuid_fixup',
    `--inh-caps=+${capability}`,
    `--ambient-caps=+${capability}`,
  ],
});

/**
 * Runs `postgres --version` in the data folder.
 * @returns null when it worked, otherwise its output
 */
async function refusal(
  { prefix, ...user }: RunAs,
  postgres: string,
  dataDir: string,
): Promise<string | null> {
  const script = 'cd "$1" && exec "$2" --version';
  const [file = '', ...args] = [...prefix, '/bin/sh', '-c', script, 'probe', dataDir, postgres];
  return run(file, args, { ...user, cwd: '/' }).then(
    () => null,
    (error: Error & { stderr?: string }) => (error.stderr || error.message).trim(),
  );
}

async function closedFolder(path: string): Promise<string | undefined> {
  const above = dirname(path) === path ? undefined : await closedFolder(dirname(path));
  if (above) return above;
  const { mode } = await stat(path);
  return mode & 0o001 ? undefined : path;
}

async function fault(said: string, postgres: string, dataDir: string): Promise<EmbeddedError> {
  if (said.includes('shared librar')) {
    return new EmbeddedError(
      `The private PostgreSQL is incomplete (${said}): run "npm ci" without --ignore-scripts, or set DATABASE_URL.`,
    );
  }
  const folder =
    process.getuid?.() === 0 && ((await closedFolder(postgres)) ?? (await closedFolder(dataDir)));
  if (!folder) {
    return new EmbeddedError(
      `The private PostgreSQL does not run here (${said}): install PostgreSQL yourself and set DATABASE_URL.`,
    );
  }
  return new EmbeddedError(
    `PostgreSQL does not run as root, and the user "postgres" cannot enter ${folder}: run "chmod o+x ${folder}", ` +
      'clone to another place, or set DATABASE_URL.',
  );
}

/**
 * How to run PostgreSQL so that it does not run as root and still reaches its program and its data.
 * @param cluster PostgreSQL's own folder within the data folder; may not exist yet
 * @throws EmbeddedError when there is no way
 */
export async function postgresRunAs(
  postgres: string,
  dataDir: string,
  cluster: string,
  progress: (line: string) => void,
): Promise<PostgresRunAs> {
  const user =
    process.getuid?.() === 0 ? ((await ownerOf(cluster)) ?? (await postgresUser(progress))) : undefined;
  const ways: RunAs[] = [{ ...user, prefix: [] }];
  // The first capability allows less; the second is the one that containers have.
  if (user) ways.push(keeping('dac_read_search', user), keeping('dac_override', user));
  let said: string | null = null;
  for (const way of ways) {
    const answer = await refusal(way, postgres, dataDir);
    if (answer === null) return { ...way, owner: user };
    said ??= answer;
  }
  throw await fault(said ?? '', postgres, dataDir);
}
