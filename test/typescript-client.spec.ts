import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DEMO } from '../src/embedded/demo.js';
import type { Call, Made, World } from './client/world.js';
import { ERROR_STATUS, type ErrorCode } from '../src/common/errors.js';
import { OPERATIONS } from './fuzz/documented-api.js';
import { EventReceiver } from './support/event-receiver.js';
import { SECRETS } from './support/service.js';
import { useTestService } from './support/test-service.js';

/** Makes the calls of client/calls.ts. */
type CallsOf = (world: World, made: Made[]) => Record<string, Call>;

const OPTIONS = {
  compilerOptions: {
    target: 'ES2023',
    module: 'NodeNext',
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    types: ['node'],
  },
};

/** The code of that language in a page, in its order. */
const codeOf = (page: string, language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(([, code = '']) => code);

describe('A TypeScript client of openapi.json', () => {
  const service = useTestService();
  let folder: string;
  const path = (name: string) => join(folder, name);
  /** Runs a program of node_modules, or a file, in the folder. @returns what it prints */
  const run = async (args: string[], env: Record<string, string> = {}): Promise<string> => {
    const options = { cwd: folder, env: { PATH: process.env['PATH'], ...env } };
    const { stdout } = await promisify(execFile)(process.execPath, args, options).catch(
      (error: Error & { stdout: string }) => {
        throw new Error(`${error.message}\n${error.stdout}`);
      },
    );
    return stdout;
  };
  const made: Made[] = [];
  let receiver: EventReceiver;
  let calls: Record<string, Call>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tms-client-'));
    receiver = await EventReceiver.start();
    const page = await readFile('docs/clients.md', 'utf8');
    const [generate = ''] = codeOf(page, 'sh');
    const [sample = ''] = codeOf(page, 'ts');
    await symlink(join(process.cwd(), 'node_modules'), path('node_modules'));
    await copyFile('openapi.json', path('openapi.json'));
    for (const name of ['calls.ts', 'world.ts']) await copyFile(join('test/client', name), path(name));
    await writeFile(path('package.json'), '{"type": "module"}');
    await writeFile(path('tsconfig.json'), JSON.stringify(OPTIONS));
    await writeFile(path('sample.ts'), sample);
    const [, , ...options] = generate.trim().split(' ');
    await run(['node_modules/openapi-typescript/bin/cli.js', ...options]);
    await run(['node_modules/typescript/bin/tsc', '-p', '.']);
    const module = (await import(pathToFileURL(path('calls.ts')).href)) as { callsOf: CallsOf };
    const world: World = {
      url: service().url,
      apiKey: SECRETS.demoApiKey,
      messagingAccountId: DEMO.numbers[0].apiId,
      endpointUrl: receiver.url,
    };
    calls = module.callsOf(world, made);
  });
  afterAll(async () => {
    await receiver.stop();
    await rm(folder, { recursive: true });
  });

  it.each(OPERATIONS)(
    'gets an answer and an error of $operationId, as they are documented',
    async (operation) => {
      const call = calls[operation.operationId]!;
      const errorStatus = ERROR_STATUS[call.code as ErrorCode];
      const name = `${operation.method} ${operation.path}`;
      made.length = 0;
      await call.success();
      const taken = made.filter((one) => one.operation === name).map(({ status }) => status);
      expect(taken.length).toBeGreaterThan(0);
      for (const status of taken) expect(Object.keys(operation.responses)).toContain(String(status));
      expect(taken.every((status) => status < 300)).toBe(true);
      expect((await call.error()).error?.error.code).toBe(call.code);
      expect(made.at(-1)).toEqual({ operation: name, status: errorStatus });
      expect(Object.keys(operation.responses)).toContain(String(errorStatus));
    },
  );

  it('is what docs/clients.md shows', async () => {
    const env = { BASE_URL: service().url, API_KEY: SECRETS.demoApiKey };
    const loader = pathToFileURL('test/support/typescript.mjs').href;
    expect(await run(['--import', loader, 'sample.ts'], env)).toMatch(/^Message \d+ costs 0\.\d+\n$/);
    await expect(run(['--import', loader, 'sample.ts'], { ...env, API_KEY: 'tms_wrong' })).rejects.toThrow(
      'UNAUTHORIZED: ',
    );
  });
});
