/** Compiles everything and notes of what: "npm start" and the admin commands build again only when that has changed. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { newestInput, root, stamp } from './build-inputs.mjs';

// As of before the build, so that an edit meanwhile leads to another.
const newest = newestInput();
const { status } = spawnSync('npx', ['nest', 'build'], { cwd: root, stdio: 'inherit' });
if (status === 0) writeFileSync(stamp, String(newest));
process.exit(status ?? 1);
