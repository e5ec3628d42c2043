import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for each test of the file, removed after it. @returns what gives the current one */
export function useTemporaryFolder(): () => string {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tms-spec-'));
    // As root PostgreSQL runs as another user, which has to pass through.
    await chmod(folder, 0o711);
  });
  // More than once: the last children of a PostgreSQL that is being ended may still write.
  afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));
  return () => folder;
}
