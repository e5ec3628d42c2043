import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { EmbeddedError, errorCode } from './embedded-error.js';

const run = promisify(execFile);

const ps = (field: string, pid: number) =>
  run('ps', ['-o', `${field}=`, '-p', String(pid)]).then(
    ({ stdout }) => stdout.trim(),
    () => '',
  );

const proc = (file: string, pid: number) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');

/** The command line of a process; empty when there is no such process (or only its exit status is left). */
export async function commandLine(pid: number): Promise<string> {
  if (process.platform !== 'linux') return ps('command', pid);
  return (await proc('cmdline', pid)).replaceAll('\0', ' ');
}

/** When a process started; empty when it does not run. Together with its id, this identifies a process for ever. */
export async function startTime(pid: number): Promise<string> {
  if (process.platform !== 'linux') return ps('lstart', pid);
  const stat = await proc('stat', pid);
  // The second field is the program's name in brackets. The name may itself contain blanks and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, started = ''] = [fields[0], fields[19]];
  return state === 'Z' ? '' : started;
}

function hasProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) !== 'ESRCH';
  }
}

/** Calls `done` until it is true. @returns whether it became so in time */
export async function poll(done: () => Promise<boolean>, timeout: number, interval = 20): Promise<boolean> {
  const end = Date.now() + timeout;
  while (!(await done())) {
    if (Date.now() > end) return false;
    await delay(interval);
  }
  return true;
}

/**
 * Ends a server that an earlier start left running.
 * @param pidFile first line: its process id
 * @param mark a part of its command line that no other program has: process ids are used again
 * @throws EmbeddedError when it does not end
 */
export async function stopLeftover(pidFile: string, mark: string, signal: NodeJS.Signals): Promise<void> {
  const pid = Number.parseInt(await readFile(pidFile, 'utf8').catch(() => ''), 10);
  if (!(pid > 1)) return;
  const isOurs = async () => `${await commandLine(pid)} `.includes(mark);
  if (await isOurs()) {
    process.kill(pid, signal);
    if (!(await poll(async () => !(await isOurs()), 30_000))) {
      throw new EmbeddedError(
        `Process ${pid} was left by an earlier start and does not end: run "kill -9 ${pid}".`,
      );
    }
  }
  // The id now belongs to another program, or to a zombie: by the file, PostgreSQL would think that it still runs.
  if (!(await poll(async () => !hasProcess(pid), 2_000))) await rm(pidFile, { force: true });
}
