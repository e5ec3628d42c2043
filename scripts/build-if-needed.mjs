/** Builds when a source has changed since the last build that succeeded. Two at once: one builds, the other waits. */
import { spawnSync } from 'node:child_process';
import { linkSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const inputs = ['src', 'ormconfig.ts', 'tsconfig.json', 'nest-cli.json', 'package-lock.json'];
const stamp = join(root, 'dist', '.built');
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
  const newest = newestInput();
  process.stderr.write('Building: the sources have changed since the last build\n');
  const { status } = spawnSync('npm', ['run', 'build'], { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) {
    rmSync(lock, { force: true });
    process.stderr.write(
      'The build has failed; what is wrong is said above. After "git pull" run "npm ci" first.\n',
    );
    process.exit(1);
  }
  // As of before the build, so that an edit meanwhile leads to another.
  writeFileSync(stamp, String(newest));
}

const read = (file) => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
};

/** An installation without sources runs what it has. */
function isBuilt() {
  const newest = newestInput();
  return newest === 0 || read(stamp) === String(newest);
}

/** The time of the last change; a folder changes when a file in it is added or removed. */
function newestInput() {
  const times = inputs.map((name) => join(root, name)).flatMap(timesOf);
  return read(join(root, 'tsconfig.json')) === undefined ? 0 : Math.max(0, ...times);
}

function timesOf(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats || path.endsWith('.spec.ts')) return [];
  if (!stats.isDirectory()) return [stats.mtimeMs];
  return [stats.mtimeMs, ...readdirSync(path).flatMap((name) => timesOf(join(path, name)))];
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

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
