import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { EmbeddedError, errorCode } from './embedded-error.js';

/** Reads a JSON object; an absent file is an empty one. */
export async function readJson<T extends object>(file: string): Promise<Partial<T>> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return '{}';
    throw error;
  });
  try {
    return JSON.parse(text) as Partial<T>;
  } catch {
    throw new EmbeddedError(
      `${file} is not valid JSON: mend it, or delete the folder it is in to begin anew.`,
    );
  }
}

/**
 * Writes the whole file or nothing, readable by its owner only: it may hold secrets. Not by `write-file-atomic` (7.0.1):
 * when the disk becomes full, that says "written" and puts the first part of the new file in place of the old one.
 */
export async function writeJson(file: string, value: object): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(draft, `${JSON.stringify(value, undefined, 2)}\n`, { mode: 0o600, flush: true });
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}
