/**
 * Writes the bill of materials of a production installation: dist/sbom.cdx.json, in CycloneDX 1.6, with the hash of
 * each package. It is made from the lock, so that it is the same on every machine. npm's own "npm sbom" leaves out half
 * of the packages, such as Express, and the generator as a dependency would bring a hundred packages of its own.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const FILE = 'dist/sbom.cdx.json';
const GENERATOR = '@cyclonedx/cyclonedx-npm@6.0.1';

mkdirSync('dist', { recursive: true });
const own = ['--package-lock-only', '--omit', 'dev', '--output-reproducible', '--output-file', FILE];
// Its optional packages are for XML and for a check of its output, and need a compiler.
const npx = ['exec', '--yes', '--ignore-scripts', '--omit=optional', `--package=${GENERATOR}`];
const { status } = spawnSync('npm', [...npx, '--', 'cyclonedx-npm', '--no-validate', ...own], {
  stdio: ['ignore', 'inherit', 'inherit'],
});
if (status !== 0) process.exit(status ?? 1);

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const bill = JSON.parse(readFileSync(FILE, 'utf8'));
addHashes(bill.components);
writeFileSync(FILE, `${JSON.stringify(bill, null, 2)}\n`);
process.stdout.write(`${FILE}\n`);

/** Adds hashes. The generator finds them only by addresses of a registry, which our lock leaves out. */
function addHashes(components = []) {
  for (const component of components) {
    const path = component.properties.find(({ name }) => name === 'cdx:npm:package:path')?.value;
    const hash = /^sha512-(.+)$/.exec(packages[path]?.integrity ?? '')?.[1];
    if (hash) component.hashes = [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }];
    addHashes(component.components);
  }
}
