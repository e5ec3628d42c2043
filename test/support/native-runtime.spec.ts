import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { useTemporaryFolder } from './temporary-folder.js';

const folder = useTemporaryFolder();

const LOADER = new URL('typescript.mjs', import.meta.url).href;
const CONFIG = {
  runtime: fileURLToPath(new URL('native-runtime.cjs', import.meta.url)),
  injectGlobals: false,
  transform: {},
  testRegex: String.raw`\.spec\.ts$`,
};
const GLOBALS = `import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';\n`;

/** What Jest tells `.ci/run` of files with these bodies, and which tests of each failed. */
async function resultsOf(files: Record<string, string>) {
  for (const [name, body] of Object.entries(files)) await writeFile(join(folder(), name), GLOBALS + body);
  const output = join(folder(), 'results.json');
  const config = JSON.stringify({ ...CONFIG, rootDir: folder() });
  const args = ['--config', config, '--runInBand', '--json', '--outputFile', output];
  const jest = ['--import', LOADER, 'node_modules/jest/bin/jest.js', ...args];
  const { status } = spawnSync(process.execPath, jest);
  const { testResults, ...counts } = JSON.parse(await readFile(output, 'utf8'));
  const failures = testResults.map(({ name, assertionResults, message }: any) => [
    name.slice(folder().length + 1),
    { failed: assertionResults.filter((test: any) => test.status === 'failed').length, message },
  ]);
  return { status, counts, of: Object.fromEntries(failures) };
}

describe('Our runtime for Jest', () => {
  it('tells of all that fails', async () => {
    const { status, counts, of } = await resultsOf({
      'wrong.spec.ts': `interface Gone {\n  one: number;\n}\nit('is wrong', () => expect(1 as number).toBe(2));`,
      'hangs.spec.ts': `it('hangs', () => new Promise(() => {}), 100);`,
      'later.spec.ts': `it('throws', async () => {
        setTimeout(() => { throw new Error('later'); });
        await new Promise((done) => setTimeout(done, 100));
      });`,
      'hook.spec.ts': `beforeAll(() => Promise.reject(new Error('hook')));\nit('one', () => {});\nit('two', () => {});`,
      'missing.spec.ts': `import './missing.js';\nit('is not found', () => {});`,
      'after.spec.ts': `afterAll(() => { throw new Error('after'); });\nit('is right', () => {});`,
    });
    expect(status).toBe(1);
    expect(counts).toMatchObject({
      numPassedTests: 1,
      numFailedTests: 5,
      // The missing module, and what went wrong when all tests had passed.
      numRuntimeErrorTestSuites: 2,
      numFailedTestSuites: 6,
    });
    expect(of['wrong.spec.ts'].message).toContain('wrong.spec.ts:5:');
    expect(of['hangs.spec.ts'].message).toContain('Exceeded timeout of 100 ms');
    expect(of['later.spec.ts'].message).toContain('later');
    expect(of['hook.spec.ts'].failed).toBe(2);
    expect(of['missing.spec.ts'].message).toContain('missing.js');
    expect(of['after.spec.ts'].message).toContain('after');
  });

  it('has no file pay for those before it', async () => {
    const body = `import { executionAsyncResource } from 'node:async_hooks';
      it('has one storage of the framework', async () => {
        await null;
        const symbols = Object.getOwnPropertySymbols(executionAsyncResource());
        expect(symbols.filter(({ description }) => description === 'kResourceStore')).toHaveLength(1);
      });`;
    const { counts } = await resultsOf({ 'a.spec.ts': body, 'b.spec.ts': body, 'c.spec.ts': body });
    expect(counts).toMatchObject({ numPassedTests: 3 });
  });

  it('loads a module once, gives each file its own tests, and takes spies back', async () => {
    const body = `import { loads, say } from './shared.js';
      it('has the module', () => {
        expect(loads()).toBe(1);
        jest.spyOn(say, 'hello').mockReturnValue('nothing');
        expect(say.hello()).toBe('nothing');
        jest.restoreAllMocks();
        expect(say.hello()).toBe('hello');
      });`;
    const { status, counts } = await resultsOf({
      'shared.ts': `const global = globalThis as any;
        global.sharedLoads = (global.sharedLoads ?? 0) + 1;
        export const loads = () => global.sharedLoads;
        export const say = { hello: () => 'hello' };`,
      'one.spec.ts': body,
      'other.spec.ts': body,
    });
    expect(counts).toMatchObject({ numPassedTests: 2, numTotalTests: 2 });
    expect(status).toBe(0);
  });
});
