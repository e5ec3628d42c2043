import { spawnSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { useTemporaryFolder } from '../../test/support/temporary-folder.js';
import { writeJson } from './json-file.js';

const LOADER = new URL('../../test/support/typescript.mjs', import.meta.url).href;
const MODULE = new URL('json-file.ts', import.meta.url).href;
const PROGRAM = `
  const { writeJson } = await import('${MODULE}');
  await writeJson(process.argv[1], { text: 'x'.repeat(100_000) }).catch(({ code }) => process.stdout.write(code));`;

const folder = useTemporaryFolder();

describe('writeJson', () => {
  it('leaves the old file, and nothing beside it, when the disk has room for a part of the new one', async () => {
    const file = join(folder(), 'secrets.json');
    await writeJson(file, { key: 'old' });
    // A limit on the size of files makes the system write a part, as a disk that becomes full does.
    const command = ['-c', 'ulimit -f 20 && exec "$0" "$@"', process.execPath, '--import', LOADER];
    const { stdout } = spawnSync('sh', [...command, '--input-type=module', '-e', PROGRAM, file]);
    expect(stdout.toString()).toBe('EFBIG');
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ key: 'old' });
    expect(await readdir(folder())).toEqual(['secrets.json']);
  });
});
