import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for each test of the file, removed after it. @returns a function that gives the current folder */
export function useTemporaryFolder(): () => string {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tms-spec-'));
    // Where we are root, PostgreSQL runs as another user, who has to pass through this folder.
    await chmod(folder, 0o711);
  });
  // More than once, as the last children of a PostgreSQL that is ending may still write.
  afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));
  return () => folder;
}
