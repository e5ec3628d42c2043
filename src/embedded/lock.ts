import { randomBytes } from 'node:crypto';
import { closeSync, ftruncateSync, openSync } from 'node:fs';
import { link, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedError, errorCode } from './embedded-error.js';
import { startTime } from './processes.js';

/**
 * The lock is the file `lock.<n>` with the highest number: it names the process that uses the data folder. A dead
 * process cannot remove its file. Nobody else can do so safely: after the look at the file and before its removal,
 * another start may have put its own there. So no lock is ever replaced. Whoever finds the highest one free creates the
 * next, which the file system lets only one process do. The highest one always stays.
 *
 * Not `proper-lockfile` (4.1.2), which goes by the age of a folder: after a kill the data stayed locked for 10 s, and of
 * 6 starts that found such a lock, two had it at once in 4 of 15 rounds.
 */
interface Holder {
  pid: number;
  started: string;
}

const lockFile = (dataDir: string, number: number) => join(dataDir, `lock.${number}`);

async function numbers(dataDir: string): Promise<number[]> {
  // A folder that is not there, or not ours to read, has no lock that could be looked at.
  const names = await readdir(dataDir).catch(() => []);
  return names.flatMap((name) => (/^lock\.\d+$/.test(name) ? [Number(name.slice('lock.'.length))] : []));
}

const highest = async (dataDir: string) => Math.max(0, ...(await numbers(dataDir)));

async function liveHolder(file: string): Promise<number | undefined> {
  try {
    const holder = JSON.parse(await readFile(file, 'utf8')) as Holder;
    return (await startTime(holder.pid)) === holder.started ? holder.pid : undefined;
  } catch {
    // Gone, empty because it was given back, or cut short by a full disk: nobody's.
    return undefined;
  }
}

/** The process that uses the data folder now. */
export async function lockHolder(dataDir: string): Promise<number | undefined> {
  return liveHolder(lockFile(dataDir, await highest(dataDir)));
}

/** Links rather than writes: the file appears at once and complete, and for one process only. */
async function create(file: string, text: string): Promise<boolean> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, text, { mode: 0o600 });
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft);
  }
}

/** Empties this file, and no other that stands at its path when the folder was removed meanwhile. */
function release(file: string): () => void {
  const descriptor = openSync(file, 'r+');
  return () => {
    ftruncateSync(descriptor);
    closeSync(descriptor);
  };
}

/**
 * Takes the data folder for this process.
 * @returns what gives it back
 * @throws EmbeddedError when another running process has it
 */
export async function lockDataDir(dataDir: string): Promise<() => void> {
  const own = JSON.stringify({ pid: process.pid, started: await startTime(process.pid) } satisfies Holder);
  for (;;) {
    const last = await highest(dataDir);
    const pid = await liveHolder(lockFile(dataDir, last));
    if (pid) {
      throw new EmbeddedError(
        `The data folder ${dataDir} is in use by process ${pid}: stop that first, or set DATA_DIR to another folder.`,
      );
    }
    const file = lockFile(dataDir, last + 1);
    if (!(await create(file, own))) continue;
    const all = await numbers(dataDir);
    if (Math.max(...all) === last + 1) {
      for (const number of all) if (number <= last) await rm(lockFile(dataDir, number));
      return release(file);
    }
    // Others have come and gone since `last` was looked up, and taken their files below the highest with them.
    await rm(file);
  }
}
