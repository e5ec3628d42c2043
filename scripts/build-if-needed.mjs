/** Builds when a source has changed since the last build that succeeded. Two at once: one builds, the other waits. */
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
    // Another process may have built between our two looks.
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

/** Links rather than writes: the lock appears at once and complete, for one process only. */
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
