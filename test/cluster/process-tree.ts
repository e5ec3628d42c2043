import { readFile } from 'node:fs/promises';
import { poll, startTime } from '../../src/embedded/processes.js';

/** Sends a signal to a process and all that it has started; those that have ended meanwhile do not count. */
export async function signalTree(pid: number, signal: NodeJS.Signals): Promise<number[]> {
  // A process that stands still starts no others while these are looked for.
  if (signal !== 'SIGCONT') send(pid, 'SIGSTOP');
  const below = await Promise.all((await childrenOf(pid)).map((child) => signalTree(child, signal)));
  if (signal !== 'SIGSTOP') send(pid, signal);
  return [pid, ...below.flat()];
}

/** Waits until none of the processes runs any more. */
export async function untilGone(pids: number[]): Promise<void> {
  for (const pid of pids) {
    if (!(await poll(async () => (await startTime(pid)) === '', 30_000)))
      throw new Error(`Process ${pid} does not end`);
  }
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return text.split(' ').filter(Boolean).map(Number);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
