/**
 * Adds to package-lock.json the optional packages of other platforms that npm left out, so that "npm ci" takes the
 * lock everywhere. npm leaves them out when it cannot reach them or finds them pruned from node_modules
 * (https://github.com/npm/cli/issues/4828). Run it after each change of dependencies: node scripts/complete-lock.mjs
 */
import { readFileSync, writeFileSync } from 'node:fs';

const FILE = 'package-lock.json';

/** Parts of a package's name, and the platforms for which they stand. */
const OS = {
  darwin: 'darwin',
  linux: 'linux',
  win32: 'win32',
  windows: 'win32',
  android: 'android',
  freebsd: 'freebsd',
  openharmony: 'openharmony',
};
const CPU = new Set([
  'x64',
  'arm64',
  'arm',
  'ia32',
  'ppc64',
  's390x',
  'riscv64',
  'loong64',
  'wasm32',
  'mips64el',
]);
const LIBC = { gnu: 'glibc', musl: 'musl', gnueabihf: 'glibc', musleabihf: 'musl' };

const lock = JSON.parse(readFileSync(FILE, 'utf8'));
const added = {};
for (const [parent, { optionalDependencies = {}, dev }] of Object.entries(lock.packages)) {
  for (const [name, range] of Object.entries(optionalDependencies)) {
    const path = `node_modules/${name}`;
    if (lock.packages[path] || lock.packages[`${parent}/${path}`]) continue;
    added[path] = {
      version: range.replace(/^[\^~]/, ''),
      ...platformOf(name),
      ...(dev && { dev }),
      optional: true,
    };
  }
}
lock.packages = Object.fromEntries(
  Object.entries({ ...lock.packages, ...added }).toSorted(([a], [b]) => a.localeCompare(b, 'en')),
);
writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`${Object.keys(added).length} packages of other platforms added\n`);

function platformOf(name) {
  const parts = name.split(/[/-]/);
  const cpu = parts.filter((part) => CPU.has(part));
  const os = parts.flatMap((part) => OS[part] ?? []);
  const libc = parts.flatMap((part) => LIBC[part] ?? []);
  return {
    ...(cpu.length && { cpu }),
    ...(libc.length && os[0] === 'linux' && { libc }),
    ...(os.length && { os }),
  };
}
