import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { runToEnd, tail } from './supervised.js';

const run = promisify(execFile);

/**
 * A package would start its service, now and at each boot. Debian asks policy-rc.d whether it may. An existing
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
apt-get -q -o DPkg::Lock::Timeout=120 install -y --no-install-recommends "$@"
if [ -d /run/systemd/system ]; then
  units=$(dpkg -L "$@" | sed -n 's|^\\(/usr\\)\\?/lib/systemd/system/\\([^@/]*\\.service\\)$|\\2|p')
  [ -z "$units" ] || systemctl disable --now $units
fi
`;

/** How long another program may use the system's packages before we give up. */
const LOCKED_TIMEOUT = 120_000;

/** The full path of a program in PATH, as servers are started without our PATH. */
export async function findProgram(name: string): Promise<string | undefined> {
  const { stdout } = await run('/bin/sh', ['-c', 'command -v "$0"', name]).catch(() => ({ stdout: '' }));
  return stdout.trim() || undefined;
}

/** Whether we may install packages, and by Debian's way. */
export async function mayInstall(): Promise<boolean> {
  return process.getuid?.() === 0 && (await findProgram('apt-get')) !== undefined;
}

/**
 * Installs packages of Debian without starting their services. Tries again while another program, or another start of
 * this one, uses the system's packages.
 * @param find looks for what they bring
 * @param logFile what apt-get says
 * @returns what was found in the end
 */
export async function installPackages<Found>(
  packages: string[],
  find: () => Promise<Found | undefined>,
  logFile: string,
): Promise<Found | undefined> {
  const end = Date.now() + LOCKED_TIMEOUT;
  for (;;) {
    await runToEnd(INSTALL, packages, logFile);
    const found = await find();
    const isLocked = (await tail(logFile)).includes('Could not get lock');
    if (found !== undefined || !isLocked || Date.now() > end) return found;
    await delay(1_000);
  }
}
