import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { EmbeddedError } from './embedded-error.js';
import { runToEnd, tail } from './supervised.js';

const run = promisify(execFile);

/** Valkey is the same server under the name that some systems have now. */
const NAMES = ['redis-server', 'valkey-server'];

const WAYS =
  'install one (Debian, Ubuntu: "sudo apt-get install redis-server"; macOS: "brew install redis"; ' +
  'Fedora: "sudo dnf install valkey") or set REDIS_URL, for example to that of "docker run -p 6379:6379 redis".';

/**
 * The system's package would start a service, now and at each boot. Debian asks policy-rc.d whether it may. An existing
 * policy-rc.d belongs to the administrator and stays. After a failed update the installation goes on: the package lists
 * may be good enough.
 */
const INSTALL = `
policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ]; then
  trap 'grep -q template-messaging $policy && rm -f $policy' EXIT
  printf '#!/bin/sh\\n# Put here for a moment by template-messaging-service.\\nexit 101\\n' >$policy
  chmod 755 $policy
fi
export DEBIAN_FRONTEND=noninteractive
apt-get -q update
apt-get -q -o DPkg::Lock::Timeout=120 install -y --no-install-recommends redis-server
if [ -d /run/systemd/system ]; then systemctl disable --now redis-server; fi
`;

/** How long another program may use the system's packages before we give up. */
const LOCKED_TIMEOUT = 120_000;

const works = (command: string) =>
  run(command, ['--version']).then(
    () => true,
    () => false,
  );

/** The full path, as the server is started without our PATH. */
async function inPath(): Promise<string | undefined> {
  for (const name of NAMES) {
    const { stdout } = await run('/bin/sh', ['-c', 'command -v "$0"', name]).catch(() => ({ stdout: '' }));
    if (stdout && (await works(stdout.trim()))) return stdout.trim();
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
  if (process.getuid?.() !== 0 || !(await works('apt-get'))) {
    throw new EmbeddedError(`There is no redis-server in PATH: ${WAYS}`);
  }
  const logFile = join(dataDir, 'redis-install.log');
  progress(
    'There is no redis-server in PATH: installing the one of the system (apt-get install redis-server); ' +
      `this takes some seconds, or minutes where the network is slow; what it says stands in ${logFile}`,
  );
  const installed = await install(logFile);
  if (installed) return installed;
  throw new EmbeddedError(
    `There is no redis-server in PATH, and apt-get cannot install it: ${WAYS}\n${await tail(logFile)}`,
  );
}

/** Tries again while another program, or another start of this one, uses the system's packages. */
async function install(logFile: string): Promise<string | undefined> {
  const end = Date.now() + LOCKED_TIMEOUT;
  for (;;) {
    await runToEnd(INSTALL, logFile);
    const installed = await inPath();
    const isLocked = (await tail(logFile)).includes('Could not get lock');
    if (installed || !isLocked || Date.now() > end) return installed;
    await delay(1_000);
  }
}
