/** The inputs of a build, and whether the last build was made from the same. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const stamp = join(root, 'dist', '.built');

const inputs = ['src', 'dashboard', 'ormconfig.ts', 'tsconfig.json', 'nest-cli.json', 'package-lock.json'];

export const read = (file) => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
};

/** Whether the last build is up to date. An installation without sources runs the build that it has. */
export function isBuilt() {
  const newest = newestInput();
  return newest === 0 || read(stamp) === String(newest);
}

/** The time of the last change; a folder changes when a file in it is added or removed. */
export function newestInput() {
  const times = inputs.map((name) => join(root, name)).flatMap(timesOf);
  return read(join(root, 'tsconfig.json')) === undefined ? 0 : Math.max(0, ...times);
}

function timesOf(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats || path.endsWith('.spec.ts')) return [];
  if (!stats.isDirectory()) return [stats.mtimeMs];
  return [stats.mtimeMs, ...readdirSync(path).flatMap((name) => timesOf(join(path, name)))];
}
