import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedError, errorCode } from './embedded-error.js';
import { startTime } from './processes.js';

interface Holder {
  pid: number;
  started: string;
}

const lockFile = (dataDir: string) => join(dataDir, 'lock');

const read = (file: string) => readFile(file, 'utf8').catch(() => '');

function parse(text: string): Holder | undefined {
  try {
    return JSON.parse(text) as Holder;
  } catch {
    return undefined;
  }
}

async function liveHolder(text: string): Promise<number | undefined> {
  const holder = parse(text);
  if (!holder) return undefined;
  return (await startTime(holder.pid)) === holder.started ? holder.pid : undefined;
}

/** The process that uses the data folder now. */
export async function lockHolder(dataDir: string): Promise<number | undefined> {
  return liveHolder(await read(lockFile(dataDir)));
}

/** Links rather than writes: the lock appears at once and complete, and for one process only. */
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

/** Moves a lock away whose process is gone. One that another start has just put there instead is put back. */
async function removeStale(file: string, stale: string): Promise<void> {
  const aside = `${file}.${randomBytes(6).toString('hex')}`;
  await rename(file, aside).catch(() => undefined);
  if ((await read(aside)) === stale) await rm(aside, { force: true });
  else await rename(aside, file).catch(() => undefined);
}

/**
 * Takes the data folder for this process.
 * @returns what gives it back
 * @throws EmbeddedError when another running process has it
 */
export async function lockDataDir(dataDir: string): Promise<() => Promise<void>> {
  const file = lockFile(dataDir);
  const own = JSON.stringify({ pid: process.pid, started: await startTime(process.pid) } satisfies Holder);
  while (!(await create(file, own))) {
    const text = await read(file);
    const pid = await liveHolder(text);
    if (pid) {
      throw new EmbeddedError(
        `The data folder ${dataDir} is in use by process ${pid}: stop that first, or set DATA_DIR to another folder.`,
      );
    }
    await removeStale(file, text);
  }
  return () => rm(file, { force: true });
}
