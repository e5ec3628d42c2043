import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Folders that are links into /usr, on Debian and in its images. */
const MERGED = ['bin', 'lib', 'lib64', 'sbin'];

/** What Debian's slim images leave out. */
const LEFT_OUT = /^\/usr\/share\/(doc|man|locale|info|lintian)\//;

const run = (command: string, args: string[]) =>
  execFileSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] });

/**
 * Makes a folder with the packages of the image `debian:bookworm-slim`, which no registry here has, out of this machine's
 * own files: this machine runs the same Debian.
 */
export function standInForDebian(folder: string): void {
  for (const name of MERGED) {
    mkdirSync(join(folder, 'usr', name), { recursive: true });
    symlinkSync(`usr/${name}`, join(folder, name));
  }
  for (const name of ['dev', 'etc', 'proc', 'root', 'run', 'sys', 'tmp', 'var/tmp'])
    mkdirSync(join(folder, name), { recursive: true });
  const list = run('dpkg-query', ['-L', ...slimPackages()])
    .split('\n')
    .filter((path) => path.startsWith('/') && path !== '/.' && !LEFT_OUT.test(path) && existsSync(path))
    // Some packages still name their files without /usr.
    .map((path) => (MERGED.includes(path.split('/')[1] ?? '') ? `usr${path}` : path.slice(1)));
  const names = join(folder, '..', 'files');
  writeFileSync(names, [...new Set(list)].filter((path) => !MERGED.includes(path)).join('\n'));
  run('sh', ['-c', 'tar -C / --no-recursion -c -T "$0" | tar -C "$1" -x', names, folder]);
  for (const name of ['passwd', 'group'])
    cpSync(`/usr/share/base-passwd/${name}.master`, join(folder, 'etc', name));
}

/** Adds Node.js and npm of this machine, at the places where the image `node:20-bookworm-slim` has them. */
export function addNode(folder: string): void {
  const local = join(folder, 'usr/local');
  mkdirSync(join(local, 'bin'), { recursive: true });
  cpSync(process.execPath, join(local, 'bin/node'));
  const npm = dirname(dirname(realpathSync(run('sh', ['-c', 'command -v npm']).trim())));
  cpSync(npm, join(local, 'lib/node_modules/npm'), { recursive: true });
  for (const name of ['npm', 'npx'])
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(local, 'bin', name));
}

/** The essential packages and apt, with all that they need. */
function slimPackages(): string[] {
  const installed = run('dpkg-query', ['-W', '-f', '${db:Status-Status} ${Essential} ${Package}\n']);
  const namesOf = (pattern: RegExp) => [...installed.matchAll(pattern)].map(([, name = '']) => name);
  const known = new Set(namesOf(/^installed \w+ (.+)$/gm));
  const only = ['recommends', 'suggests', 'conflicts', 'breaks', 'replaces', 'enhances'];
  const options = ['--recurse', '--installed', ...only.map((kind) => `--no-${kind}`)];
  const needed = run('apt-cache', ['depends', ...options, ...namesOf(/^installed yes (.+)$/gm), 'apt']);
  return [...new Set(needed.split('\n'))].filter((name) => known.has(name));
}
