import { execFile } from 'node:child_process';
import { cp, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Copies the compiled service into a folder, after building it where necessary, so that a build that somebody starts
 * meanwhile does not change the running one.
 * @returns the file to run
 */
export async function copyProgram(folder: string): Promise<string> {
  if (!process.env['TEST_NO_BUILD']) await build();
  for (const name of ['dist', 'package.json'])
    await cp(join(ROOT, name), join(folder, name), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return join(folder, 'dist/src/main.js');
}

async function build(): Promise<void> {
  const module = JSON.stringify(join(ROOT, 'scripts/build-if-needed.mjs'));
  const script = `import(${module}).then(({ buildIfNeeded }) => buildIfNeeded())`;
  await promisify(execFile)(process.execPath, ['-e', script], { cwd: ROOT });
}
