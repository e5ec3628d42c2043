import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findProgram, installPackages, mayInstall } from './debian-packages.js';
import { EmbeddedError } from './embedded-error.js';
import { tail } from './supervised.js';

const run = promisify(execFile);

/** Valkey is the same server under the name that some systems have now. */
const NAMES = ['redis-server', 'valkey-server'];

const WAYS =
  'install one (Debian, Ubuntu: "sudo apt-get install redis-server"; macOS: "brew install redis"; ' +
  'Fedora: "sudo dnf install valkey") or set REDIS_URL, for example to that of "docker run -p 6379:6379 redis".';

const works = (command: string) =>
  run(command, ['--version']).then(
    () => true,
    () => false,
  );

async function inPath(): Promise<string | undefined> {
  for (const name of NAMES) {
    const path = await findProgram(name);
    if (path && (await works(path))) return path;
  }
  return undefined;
}

/**
 * The redis-server to run: the one in PATH, else one installed from the system's packages.
 * @throws EmbeddedError that lists the ways to get one
 */
export async function redisBinary(dataDir: string, progress: (line: string) => void): Promise<string> {
  const found = await inPath();
  if (found) return found;
  if (!(await mayInstall())) throw new EmbeddedError(`There is no redis-server in PATH: ${WAYS}`);
  const logFile = join(dataDir, 'redis-install.log');
  progress(
    'There is no redis-server in PATH: installing the one of the system (apt-get install redis-server); ' +
      `this takes some seconds, or minutes where the network is slow; what it says stands in ${logFile}`,
  );
  const installed = await installPackages(['redis-server'], inPath, logFile);
  if (installed) return installed;
  throw new EmbeddedError(
    `There is no redis-server in PATH, and apt-get cannot install it: ${WAYS}\n${await tail(logFile)}`,
  );
}
