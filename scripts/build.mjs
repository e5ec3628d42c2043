/** Compiles everything, and notes from which sources: "npm start" and admin commands build only after a change. */
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newestInput, root, stamp } from './build-inputs.mjs';

// Read before the build, so that an edit during the build leads to another one.
const newest = newestInput();
// Removes what was compiled from deleted files. The build of the page empties its own folder.
for (const name of ['src', '.tsbuildinfo'])
  rmSync(join(root, 'dist', name), { recursive: true, force: true });
// Jest, which builds before it starts, sets "test", which would build the page with React's development version.
process.env.NODE_ENV = 'production';
run('nest', 'build');
run('vite', 'build', 'dashboard', '--logLevel', 'warn');
writeFileSync(stamp, String(newest));

function run(...command) {
  const { status } = spawnSync('npx', command, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
