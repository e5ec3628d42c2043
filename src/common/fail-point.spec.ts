import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';

const LOADER = new URL('../../test/support/typescript.mjs', import.meta.url).href;
const MODULE = new URL('fail-point.ts', import.meta.url).href;

const PROGRAM = `
  const { failPoint } = await import('${MODULE}');
  for (const name of ['after-claim', 'after-answer', 'after-claim', 'after-claim']) {
    process.stdout.write(name + ' ');
    failPoint(name);
  }`;

/** How far a process comes that passes some fail points, and the signal that ends it. */
function run(env: Record<string, string>) {
  const args = ['--import', LOADER, '--input-type=module', '-e', PROGRAM];
  const { stdout, signal } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  return { passed: stdout.trim().split(' ').length, signal };
}

const WHOLE = { passed: 4, signal: null };

describe('A fail point', () => {
  it('ends the process when it comes there for the given time', () => {
    const ended = run({ NODE_ENV: 'test', FAIL_POINTS: 'after-retry:1,after-claim:2' });
    expect(ended).toEqual({ passed: 3, signal: 'SIGKILL' });
  });

  it.each([
    ['without the variable', { NODE_ENV: 'test' }],
    ['with an empty one', { NODE_ENV: 'test', FAIL_POINTS: '' }],
    ['where others are named', { NODE_ENV: 'test', FAIL_POINTS: 'after-retry:1' }],
    ['in production', { NODE_ENV: 'production', FAIL_POINTS: 'after-claim:1' }],
    ['outside tests', { FAIL_POINTS: 'after-claim:1' }],
  ])('does nothing %s', (_, env) => {
    expect(run(env)).toEqual(WHOLE);
  });
});
