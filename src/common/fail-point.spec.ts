import { describe, expect, it } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { eventually } from '../../test/support/eventually.js';

const LOADER = new URL('../../test/support/typescript.mjs', import.meta.url).href;
const MODULE = new URL('fail-point.ts', import.meta.url).href;

const PROGRAM = `
  const { failPoint } = await import('${MODULE}');
  for (const name of ['after-claim', 'after-answer', 'after-claim', 'after-claim']) {
    process.stdout.write(name + ' ');
    failPoint(name);
  }`;

const ARGS = ['--import', LOADER, '--input-type=module', '-e', PROGRAM];

/** Starts a process that passes some fail points; returns how many it passed, and the signal that ended it. */
function run(env: Record<string, string>) {
  const { stdout, signal } = spawnSync(process.execPath, ARGS, { env, encoding: 'utf8' });
  return { passed: stdout.trim().split(' ').length, signal };
}

const WHOLE = { passed: 4, signal: null };

describe('A fail point', () => {
  it('kills the process when it is reached for the given time', () => {
    const ended = run({ NODE_ENV: 'test', FAIL_POINTS: 'after-retry:1,after-claim:2' });
    expect(ended).toEqual({ passed: 3, signal: 'SIGKILL' });
  });

  it('can stop the process instead, which goes on after SIGCONT', async () => {
    const child = spawn(process.execPath, ARGS, {
      env: { NODE_ENV: 'test', FAIL_POINTS: 'after-claim:2:pause' },
    });
    let passed = '';
    child.stdout.on('data', (chunk: Buffer) => (passed += chunk.toString()));
    await eventually(() => expect(passed).toBe('after-claim after-answer after-claim '));
    await eventually(() => {
      child.kill('SIGCONT'); // again, as the first may arrive before the process has stopped
      expect(child.exitCode).toBe(0);
    });
    expect(passed).toMatch(/after-claim after-claim $/);
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
