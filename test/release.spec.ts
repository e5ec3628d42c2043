import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CHART = 'charts/template-messaging/Chart.yaml';
const FILES = ['package.json', 'openapi.json', 'CHANGELOG.md', CHART];

describe('A release', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tms-release-'));
    for (const file of FILES) await cp(join(ROOT, file), join(folder, file), { recursive: true });
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const read = (file: string) => readFile(join(folder, file), 'utf8');
  const change = async (file: string, by: (text: string) => string) =>
    writeFile(join(folder, file), by(await read(file)));

  /** What stands in each place that tells the version. */
  async function versions(): Promise<(string | undefined)[]> {
    const chart = await read(CHART);
    return [
      JSON.parse(await read('package.json')).version,
      JSON.parse(await read('openapi.json')).info.version,
      /^version: (.+)$/m.exec(chart)?.[1],
      /^appVersion: (.+)$/m.exec(chart)?.[1],
    ];
  }

  function release(task: 'check' | 'write'): Promise<number> {
    const script = join(ROOT, 'scripts/release.mjs');
    return new Promise((resolve) => {
      execFile(process.execPath, [script, task], { cwd: folder }, (error) =>
        resolve(error ? Number(error.code) : 0),
      );
    });
  }

  it('is the same in every place', async () => {
    expect(new Set(await versions()).size).toBe(1);
  });

  it('is written into every place', async () => {
    await change('package.json', (text) => text.replace(/"version": ".+"/, '"version": "7.8.9"'));
    await change('CHANGELOG.md', (text) => text.replace('## [Unreleased]\n', '## [Unreleased]\n\n- New.\n'));
    expect(await release('check')).toBe(0);
    expect(await release('write')).toBe(0);
    expect(await versions()).toEqual(['7.8.9', '7.8.9', '7.8.9', '7.8.9']);
    expect(await read('CHANGELOG.md')).toMatch(
      /## \[Unreleased\]\n\n## \[7\.8\.9\] - \d{4}-\d\d-\d\d\n\n- New\./,
    );
  });

  it('is refused when the changelog says nothing of it', async () => {
    await writeFile(
      join(folder, 'CHANGELOG.md'),
      '# Changelog\n\n## [Unreleased]\n\n## [7.8.8] - 2026-01-01\n\n- Old.\n',
    );
    expect(await release('check')).toBe(1);
  });
});
