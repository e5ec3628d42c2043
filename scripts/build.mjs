/** Compiles everything and notes of what: "npm start" and the admin commands build again only when that has changed. */
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newestInput, root, stamp } from './build-inputs.mjs';

// As of before the build, so that an edit meanwhile leads to another.
const newest = newestInput();
// Without what was compiled from files that are gone. The page empties its own folder.
for (const name of ['src', '.tsbuildinfo'])
  rmSync(join(root, 'dist', name), { recursive: true, force: true });
// Jest, which builds before it starts, says "test": then the page would be React's for developers.
process.env.NODE_ENV = 'production';
run('nest', 'build');
run('vite', 'build', 'dashboard', '--logLevel', 'warn');
writeFileSync(stamp, String(newest));

function run(...command) {
  const { status } = spawnSync('npx', command, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
