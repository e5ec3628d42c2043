import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { EmbeddedError, errorCode } from './embedded-error.js';

const REASONS: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  // Node's code on a read-only or special file system when a parent folder has to be created as well.
  ENOENT: 'it cannot be created there',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a file is in the way',
  EEXIST: 'a file is in the way',
};

/**
 * Creates the data folder where it is missing and makes sure that it can be written.
 * @returns its absolute path
 * @throws EmbeddedError when it cannot be written
 */
export async function prepareDataDir(dataDir: string): Promise<string> {
  const folder = resolve(dataDir);
  try {
    // Started by root, PostgreSQL runs as another user, who has to pass through. Files inside have modes of their own.
    if (await mkdir(folder, { recursive: true })) await chmod(folder, 0o711);
    const probe = join(folder, `.probe-${process.pid}`);
    await writeFile(probe, '');
    await rm(probe);
  } catch (error) {
    const reason = REASONS[errorCode(error) ?? ''];
    if (!reason) throw error;
    throw new EmbeddedError(
      `The data folder ${folder} cannot be written (${reason}): make room for it there, ` +
        'or set DATA_DIR to a folder that can be written.',
    );
  }
  return folder;
}
