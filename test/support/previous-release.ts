import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Release {
  /** Its tag, or its commit. */
  name: string;
  /** Compiled. */
  main: string;
  admin: string;
}

/**
 * Compiles the service of the release before this one, without the dashboard's page. That is the last tag before the
 * commit that is checked out; where a clone has no tags, the last commit in which the version of package.json was changed, as
 * `npm version` does it; PREVIOUS_RELEASE names another. Before the first release it is what is checked out.
 * @param folder for all of it; made here
 */
export async function previousRelease(folder: string, progress: (line: string) => void): Promise<Release> {
  const name =
    process.env['PREVIOUS_RELEASE'] ?? (await lastTag()) ?? (await lastChangeOfVersion()) ?? 'HEAD';
  progress(`The previous release is ${name}${name === 'HEAD' ? ': there was none yet' : ''}`);
  await mkdir(folder);
  await run('sh', ['-c', 'git archive "$0" | tar -x -C "$1"', name, folder], { cwd: ROOT });
  if (isInstalled(folder)) await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  else await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
  await run(join(folder, 'node_modules/.bin/nest'), ['build'], { cwd: folder });
  return { name, main: join(folder, 'dist/src/main.js'), admin: join(folder, 'dist/src/admin/main.js') };
}

async function lastTag(): Promise<string | null> {
  // Of what came before: a release is compared with the one before it, not with itself.
  return git('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^').catch(() => null);
}

async function lastChangeOfVersion(): Promise<string | null> {
  const changes = ['--diff-filter=M', '-G', '^  "version": ', 'HEAD^', '--', 'package.json'];
  const commit = await git('log', '-1', '--format=%H', ...changes);
  if (!commit && (await git('rev-parse', '--is-shallow-repository')) === 'true')
    throw new Error('The history is cut off before the last release: git fetch --unshallow --tags');
  return commit || null;
}

async function git(...args: string[]): Promise<string> {
  return (await run('git', args, { cwd: ROOT })).stdout.trim();
}

/** Whether all packages with which the service of the folder runs are installed here, in the same versions. */
function isInstalled(folder: string): boolean {
  const here = packagesOf(ROOT);
  return Object.entries(packagesOf(folder)).every(
    ([path, { version, dev }]) => path === '' || dev || here[path]?.version === version,
  );
}

function packagesOf(folder: string): Record<string, { version?: string; dev?: boolean }> {
  return JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages;
}
