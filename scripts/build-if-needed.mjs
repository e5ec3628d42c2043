/** Builds if a source has changed since the last successful build. Of two runs, one builds and the other waits. */
import { spawnSync } from 'node:child_process';
import { linkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isBuilt, read, root } from './build-inputs.mjs';
import { isRunning } from './is-running.mjs';

/** Not in dist, which each build deletes first. */
const lock = join(root, 'node_modules', '.build-lock');

export async function buildIfNeeded() {
  while (!isBuilt()) {
    if (takeLock()) return buildUnderLock();
    await delay(100);
  }
}

function buildUnderLock() {
  try {
    // Another process may have built since the check above.
    if (!isBuilt()) build();
  } finally {
    rmSync(lock, { force: true });
  }
}

function build() {
  process.stderr.write('Building the service; this may take a minute\n');
  const { status } = spawnSync('npm', ['run', 'build'], { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) {
    rmSync(lock, { force: true });
    process.stderr.write(
      'The build has failed; what is wrong is said above. After "git pull" run "npm ci" first.\n',
    );
    process.exit(1);
  }
}

/** Makes a link rather than writing a file, so that the lock appears complete, and for one process only. */
function takeLock() {
  const draft = `${lock}.${process.pid}`;
  writeFileSync(draft, String(process.pid));
  try {
    linkSync(draft, lock);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    const holder = Number(read(lock));
    if (holder && !isRunning(holder)) rmSync(lock, { force: true });
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}
